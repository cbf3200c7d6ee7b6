// Renders chats with Go's own text/template as Ollama does, so that tests can compare: JSON on standard input, JSON on standard output.
package main

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"text/template"
	"text/template/parse"
)

type message struct {
	Role       string
	Content    string
	Thinking   string
	Images     []string
	ToolCalls  []string
	ToolName   string
	ToolCallID string
}

type request struct {
	Template string
	Messages []message
}

type answer struct {
	Text  string `json:"text"`
	Error string `json:"error,omitempty"`
}

func main() {
	var requests []request
	if err := json.NewDecoder(os.Stdin).Decode(&requests); err != nil {
		panic(err)
	}
	known := map[string]*template.Template{}
	answers := make([]answer, len(requests))
	for i, one := range requests {
		parsed, ok := known[one.Template]
		if !ok {
			var err error
			parsed, err = template.New("").Funcs(template.FuncMap{"json": asJSON}).Parse(withResponse(one.Template))
			if err != nil {
				answers[i].Error = err.Error()
				continue
			}
			known[one.Template] = parsed
		}
		text, err := render(parsed, one.Template, one.Messages)
		answers[i].Text = text
		if err != nil {
			answers[i].Error = err.Error()
		}
	}
	json.NewEncoder(os.Stdout).Encode(answers)
}

// A template that names neither messages nor the response ends with the response.
func withResponse(source string) string {
	if strings.Contains(source, ".Messages") || strings.Contains(source, ".Response") {
		return source
	}
	return source + "{{ .Response }}"
}

func asJSON(value any) string {
	written, _ := json.Marshal(value)
	return string(written)
}

// What one role says twice in a row is one message, results of tools excepted.
func join(given []message) (joined []message, system string) {
	var systems []string
	for _, one := range given {
		if one.Role == "system" {
			systems = append(systems, one.Content)
		}
		if last := len(joined) - 1; last >= 0 && joined[last].Role == one.Role && one.Role != "tool" {
			joined[last].Content += "\n\n" + one.Content
			continue
		}
		joined = append(joined, one)
	}
	return joined, strings.Join(systems, "\n\n")
}

func render(parsed *template.Template, source string, given []message) (string, error) {
	messages, system := join(given)
	var out bytes.Buffer
	if strings.Contains(source, ".Messages") {
		err := parsed.Execute(&out, map[string]any{"System": system, "Messages": messages, "Tools": []string{}, "Response": "", "Prompt": "", "Suffix": ""})
		return out.String(), err
	}
	var round struct{ system, prompt, response string }
	data := func() map[string]any {
		return map[string]any{"System": round.system, "Prompt": round.prompt, "Response": round.response}
	}
	flush := func() error {
		err := parsed.Execute(&out, data())
		round.system, round.prompt, round.response = "", "", ""
		return err
	}
	for _, one := range messages {
		var err error
		switch one.Role {
		case "system":
			if round.prompt != "" || round.response != "" {
				err = flush()
			}
			round.system = one.Content
		case "user":
			if round.response != "" {
				err = flush()
			}
			round.prompt = one.Content
		case "assistant":
			round.response = one.Content
		}
		if err != nil {
			return "", err
		}
	}
	tree := parsed.Tree.Copy()
	isCut := false
	cut(tree.Root, &isCut)
	last := template.Must(template.Must(parsed.Clone()).AddParseTree("last", tree))
	err := last.Execute(&out, data())
	return out.String(), err
}

// Everything behind the response belongs to rounds that are over.
func cut(list *parse.ListNode, isCut *bool) {
	if list == nil {
		return
	}
	kept := list.Nodes[:0:0]
	for _, node := range list.Nodes {
		if *isCut {
			break
		}
		kept = append(kept, node)
		switch one := node.(type) {
		case *parse.ActionNode:
			*isCut = strings.Contains(one.String(), ".Response")
		case *parse.IfNode:
			cut(one.List, isCut)
			cut(one.ElseList, isCut)
		case *parse.RangeNode:
			cut(one.List, isCut)
			cut(one.ElseList, isCut)
		case *parse.WithNode:
			cut(one.List, isCut)
			cut(one.ElseList, isCut)
		}
	}
	list.Nodes = kept
}
