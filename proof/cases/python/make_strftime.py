"""Writes strftime.json: what CPython's datetime.strftime gives in the C locale. See README.md."""

import datetime
import json
import sys
from pathlib import Path

MOMENTS = [
    *[f"2024-{month:02}-{day:02}T{hour:02}:05:09" for month, day, hour in zip(range(1, 13), [1, 29, 9, 10, 31, 30, 4, 5, 6, 7, 8, 31], [0, 1, 9, 10, 11, 12, 13, 21, 22, 23, 12, 0])],
    *[f"{year}-01-0{day}T12:00:00" for year, day in [(2021, 1), (2021, 3), (2021, 4), (2023, 1), (2023, 2), (2027, 3), (1999, 1), (2000, 9)]],
    *[f"{year}-12-{day}T23:59:59" for year, day in [(2020, 31), (2024, 30), (2019, 29), (1905, 31), (2018, 31)]],
]
LETTERS = "aAwudebhBmyYCHkIlpPMSjUWVGgcxDXTFRrntzZ%"
FORMATS = [*[f"%{letter}" for letter in LETTERS], "%-d", "%-m", "%-H", "%-I", "%-j", "%_d", "%_m", "%_j", "%-e", "%^a", "%^B", "at %H:%M, %d.%m.%Y!", "%%d", ""]


def main():
    rows = []
    for moment in MOMENTS:
        at = datetime.datetime.fromisoformat(moment)
        rows.append([moment, [[form, at.strftime(form)] for form in FORMATS]])
    lines = ",\n".join("    " + json.dumps(row) for row in rows)
    version = ".".join(map(str, sys.version_info[:2]))
    text = f'{{\n  "origin": "datetime.strftime of CPython {version} with glibc, in the C locale",\n  "rows": [\n{lines}\n  ]\n}}\n'
    Path(__file__).with_name("strftime.json").write_text(text)


main()
