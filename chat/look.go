package chat

import "context"

// A Presence says whether one server has a model.
type Presence struct {
	Label   string `json:"label"`
	Model   string `json:"model"` // the server's name for it
	Server  string `json:"server"`
	Style   Style  `json:"style"`
	Version string `json:"version,omitempty"` // of the server
	Answers bool   `json:"answers"`           // the server answers
	There   bool   `json:"there"`             // the server has the model
	Digest  string `json:"digest,omitempty"`
	Context int    `json:"context,omitempty"` // tokens; 0: unknown
	Thinks  bool   `json:"thinks,omitempty"`
	Problem string `json:"problem,omitempty"`
	Remedy  string `json:"remedy,omitempty"`
}

// Look asks each server of a model whether it has the model. It does not wait for
// unavailable servers.
func (c *Client) Look(ctx context.Context, label string) []Presence {
	m := c.model(label)
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
		p.Problem, p.Remedy = e.What, c.advise(m, e).Remedy
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
		p.Problem = "the server does not have it"
		p.Remedy = c.advise(m, &Error{Kind: ModelNotFound, Model: m.Label, Server: s.URL}).Remedy
	}
	return p
}
