package chat

import "context"

// A Presence says whether a model is to be had at one server.
type Presence struct {
	Label   string `json:"label"`
	Model   string `json:"model"` // the server's name for it
	Server  string `json:"server"`
	Style   Style  `json:"style"`
	Version string `json:"version,omitempty"` // of the server
	Answers bool   `json:"answers"`           // the server does
	There   bool   `json:"there"`             // the model is
	Digest  string `json:"digest,omitempty"`
	Context int    `json:"context,omitempty"` // tokens; 0: not told
	Thinks  bool   `json:"thinks,omitempty"`
	Problem string `json:"problem,omitempty"`
	Remedy  string `json:"remedy,omitempty"`
}

// Look says where a model is to be had, server by server. It waits for none.
func (c *Client) Look(ctx context.Context, label string) []Presence {
	m := c.Model(label)
	var all []Presence
	for _, s := range m.Servers {
		all = append(all, c.look(ctx, m, s))
	}
	return all
}

func (c *Client) look(ctx context.Context, m *Model, s Server) Presence {
	p := Presence{Label: m.Label, Model: m.Name, Server: s.URL, Style: s.style()}
	models, e := c.list(ctx, s)
	if e != nil {
		e.Model = m.Label
		p.Problem, p.Remedy = e.What, e.Remedy
		return p
	}
	p.Answers = true
	for _, listed := range models {
		if listed.Name == m.Name || listed.Name == fullName(m.Name) {
			p.There, p.Digest, p.Context = true, listed.Digest, listed.Context
		}
	}
	if s.style() == OpenAI {
		if known, e := c.learnOpenAI(ctx, s, m.Name); e == nil {
			p.Context, p.Thinks = known.Context, known.Thinks
		}
	} else if known, e := c.learnNative(ctx, s, m.Name); e == nil {
		p.There, p.Digest, p.Context, p.Thinks, p.Version = true, known.Digest, known.Context, known.Thinks, known.Version
	}
	if !p.There {
		missing := (&Error{Kind: ModelNotFound}).withRemedy(m)
		p.Problem, p.Remedy = "the server does not have it", missing.Remedy
		if s.style() == OpenAI {
			p.Remedy = "give the server's own name for it in a setting `model " + m.Label + ": NAME at " + s.URL + "`"
		}
	}
	return p
}
