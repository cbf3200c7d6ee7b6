"""Writes regex.json: what CPython's re finds, and which patterns it refuses. See README.md."""

import json
import re
import sys
import warnings
from pathlib import Path

TEXTS = ["", "ab aab abab ba", "A1 b2\nc3\n", "a.b{2}c\\d-[x]", "\t x\r\n\x0b\x0c\x1f y\x85", "é字İıſK 中١２", "😀a😀", "aaa\n", "x{,3} x{2 a{1", "\x07\x08A\x00\x01"]

FOUND = [
    "a", "ab", "a|b", "a|", "(a)|(b)", "(?:a|b)+", "(a)(b)?", "((a)b)", "(a|b)*", "a*", "a+", "a?", "a+?", "a{2}", "a{2,}", "a{,2}", "a{1,2}",
    "a{1,2}?", "a{,}", "a{0}", "x{,3}", "x{", "x{2", "x{a}", "x{}", "a{1", "{}", "{a", "x{,a}", ".", "(?s).", ".+", "^a", "a$", "^", "$", "(?m)^.", "(?m)$", "(?m)a$",
    r"\Aa", r"a\Z", r"\Z", r"\ba", r"a\b", r"\Ba", r"a\B", r"\d", r"\D+", r"\w+", r"\W", r"\s", r"\S+", r"(?a)\d", r"(?a)\w+", r"(?a)\s", r"(?a)\bb", r"(?u)\w", r"\n", r"\t", r"\r",
    r"\f", r"\v", r"\a", r"\x41", r"\u0041", r"\U0001F600", r"\0", r"\01", r"\101", r"\060", r"\377", r"\.", r"\{", r"\\d", r"\-", r"\[", r"\ ", r"\é", "[a]", "[ab]+", "[^ab]", "[a-c]", "[^a-c]+", "[]]", "[^]]", "[]a]",
    "[a-]", "[-a]", r"[\]]", r"[\d]", r"[\D]", r"[^\d]", r"[^\D]", r"[\w\s]+", r"[\w-]", r"[a\-c]", r"[\b]", r"[\x41-\x43]", r"[\0]", r"[\01\07]", r"[\101]", r"[\n\t]", "[.]", "[$^]", "[{}]", "[(|)]", "[&~]", "[😀]",
    "(?i)A", "(?i)AB", "(?i)[A-B]+", "(?i)[^a]", "(?i)i", "(?i)İ", "(?i)ı", "(?i)k", "(?i)ſ", "(?i)é", "(?i)[h-j]", "(?i)x|A", "(?is)a.", "(?im)^A", "(?i)(?s)a.", r"(?i)\x41", "(?x) a  b # c", "(?x)a\\ b", "(?x)[ ]", "(?x)a #x\n b", "(?xi) A",
    "(?=a)", "(?!a)", "a(?=b)", "a(?!b)", "(?<=a)b", "(?<!a)b", "(?<=ab)a", "(?=a)*", "(?#a comment)a", "a(?#b)", r"(a)\1", r"(a)(b)\2\1", "(?P<n>a)(?P=n)", "(?P<n_1>a|b)", r"(a)\1?", r"(a|b)\1", "(?P<é>a)", "(?:)", "()", "(a)?b", "(?:a)?", "(?:ab)+?", "(?:a|ab)(?:c|b)?",
    r"(\d+)\.?", r"a\.b", "a{2}b", "(ab){2}", "[ab]{2,3}", r"\w{2}", ".{3}", "(?s).{3}", r"\.{1,}",
]

REFUSED = [
    "(", ")", "a)", "(a", "[", "[a", "[]", "[^", "[a-", r"[\d-a]", r"[a-\d]", "[b-a]", "*", "+a", "?", "a**", "a*{2}", "a{2}*", "a{2}{3}", "a+*", "|*", "(*a)", "(?", "(?P", "(?P<", "(?P<n", "(?P<n>", "(?P<1>a)", "(?P<n n>a)", "(?P=n)", "(?Pn)", "(?<n>a)",
    "(?z)", "(?i", "a(?#b", "\\", r"\q", r"\x4", r"\xg1", r"\u12", r"\U0001", r"\8", r"\1", r"(a)\2", r"[\q]", r"[\x4]", "(?=a", "(?<a)", "(?P<n>a)(?P<n>b)", "a(?i)b", "^*", "{1}*{2}", "x{3,2}", "(?&a)", r"\j", "{2}", "a|{2}", "({2})",
]


def main():
    warnings.simplefilter("error")
    found = []
    for pattern in FOUND:
        compiled = re.compile(pattern)
        rows = [[text, [[match[0], *match.groups()] for match in compiled.finditer(text)]] for text in TEXTS]
        found.append([pattern, [row for row in rows if row[1]] or [["ab", []]]])
    for pattern in REFUSED:
        try:
            re.compile(pattern)
        except (re.error, DeprecationWarning, FutureWarning, OverflowError):
            continue
        sys.exit(f"Python takes {pattern}")
    lines = ",\n".join("    " + json.dumps(one) for one in found)
    refused = ",\n".join("    " + json.dumps(one) for one in REFUSED)
    version = ".".join(map(str, sys.version_info[:2]))
    text = f'{{\n  "origin": "re.finditer and re.compile of CPython {version}",\n  "found": [\n{lines}\n  ],\n  "refused": [\n{refused}\n  ]\n}}\n'
    Path(__file__).with_name("regex.json").write_text(text)


main()
