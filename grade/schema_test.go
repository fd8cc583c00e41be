package grade

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

func TestDefaultSchemaFollowsTheSpecification(t *testing.T) {
	s := Default()
	if want := []string{"symptom", "food", "emotion", "mind"}; !slices.Equal(s.Domains, want) {
		t.Errorf("domains %v", s.Domains)
	}
	var names []string
	for _, a := range s.Attributes {
		names = append(names, a.Name+": "+strings.Join(a.Values, " "))
	}
	if want := []string{"polarity: present absent uncertain", "intensity_bucket: low medium high unknown",
		"arousal_bucket: low medium high unknown", "time_bucket: today last_night past_week unknown"}; !slices.Equal(names, want) {
		t.Errorf("attributes %q", names)
	}
	if !s.quick {
		t.Error("the default schema does not use the fast reader")
	}
}

// Items may have both buckets, one of them unknown, and other fields anywhere.
func TestItemsOfTheSpecificationAreValid(t *testing.T) {
	for _, line := range []string{
		`{"journal_id":"A","items":[{"domain":"symptom","evidence_span":"stiff neck","polarity":"present","intensity_bucket":"low","arousal_bucket":"unknown","time_bucket":"last_night"}]}`,
		`{"journal_id":"A","items":[{"domain":"symptom","evidence_span":"neck"}]}`,
		`{"journal_id":"A","model":"m","items":[{"domain":"symptom","evidence_span":"neck","note":"left side","text":"x","confidence":0.5,"anything":{"a":[]}}]}`,
	} {
		var rec record
		if problems, ok := Default().examine(line, &rec); !ok || len(problems) > 0 {
			t.Errorf("%s: %v", line, problems)
		}
	}
}

const wider = `{
  "type": "object", "required": ["journal_id", "items"],
  "properties": {"journal_id": {"type": "string"}, "items": {"type": "array", "items": {
    "type": "object", "required": ["domain", "evidence_span"],
    "properties": {
      "domain": {"enum": ["symptom", "sleep.night"]},
      "evidence_span": {"type": "string", "minLength": 1},
      "duration_bucket": {"enum": ["hours", "days", "unknown"]},
      "polarity": {"enum": ["present", "absent"]}
    }}}}}`

func TestSchemaWithANewDomainAndAttribute(t *testing.T) {
	s, err := ParseSchema([]byte(wider))
	if err != nil || !s.quick {
		t.Fatal(err, "quick:", s != nil && s.quick)
	}
	gold := journal("A", claim("sleep.night", "woke at four", "duration_bucket", "hours"), claim("symptom", "sore back", "duration_bucket", "days", "polarity", "present"))
	pred := journal("A", claim("sleep.night", "woke at four", "duration_bucket", "days"), claim("symptom", "back", "duration_bucket", "days", "polarity", "present"))
	r, err := Score(t.Context(), Options{Schema: s, Gold: FromString("g", gold), Pred: FromString("p", pred)})
	if err != nil {
		t.Fatal(err)
	}
	figures(t, r, map[string]float64{"domains.sleep.night.tp": 1, "attributes.duration_bucket.accuracy": 0.5, "attributes.polarity.accuracy": 1,
		"buckets.right": 1, "buckets.compared": 2})
	// The default's domains are not in this schema.
	r, err = Score(t.Context(), Options{Schema: s, Gold: FromString("g", gold), Pred: FromString("p", journal("A", claim("mind", "clear", "time_bucket", "later")))})
	if err != nil || r.Pred.total[cInvalid] != 1 || r.Pred.BadValues != 0 {
		t.Errorf("%v, %v", r.Pred, err)
	}
}

// If a schema requires more than the fast reader checks, lines are validated.
func TestOtherConditionsOfASchemaAreChecked(t *testing.T) {
	for name, c := range map[string]struct{ from, to, want string }{
		"required":  {`["domain", "evidence_span"]`, `["domain", "evidence_span", "polarity"]`, `p:1: item 1: field "polarity" is missing`},
		"pattern":   {`"minLength": 1`, `"pattern": "^[a-z ]+$"`, `p:1: item 1: evidence_span does not satisfy "pattern" in the schema`},
		"closed":    {`"required": ["domain"`, `"additionalProperties": false, "required": ["domain"`, `p:1: item 1: the item does not satisfy "additionalProperties" in the schema`},
		"with type": {`"properties": {"journal_id"`, `"properties": {"model": {"type": "string"}, "journal_id"`, `p:1: model is of type number; it must be string`},
	} {
		s, err := ParseSchema([]byte(strings.Replace(wider, c.from, c.to, 1)))
		if err != nil || s.quick {
			t.Errorf("%s: %v, quick %v", name, err, s != nil && s.quick)
			continue
		}
		r, err := Score(t.Context(), Options{Schema: s, Gold: FromString("g", journal("A")),
			Pred: FromString("p", `{"journal_id":"A","model":7,"items":[{"domain":"symptom","evidence_span":"Secret","extra":1}]}`)})
		if err != nil || len(r.Pred.Problems) != 1 || r.Pred.Problems[0].Error() != c.want {
			t.Errorf("%s: %v, %v", name, r.Pred.Problems, err)
		}
	}
}

func TestUnusableSchemas(t *testing.T) {
	for bad, want := range map[string]string{
		`{`:                                "not valid JSON",
		`{"type": 7}`:                      "not a JSON Schema",
		`{}`:                               "does not describe an item",
		`{"$ref": "https://example.org/"}`: "is not fetched",
		strings.Replace(wider, `"enum": ["symptom", "sleep.night"]`, `"type": "string"`, 1): "lists no domains",
		strings.Replace(wider, `["present", "absent"]`, `[1, 2]`, 1):                        `property "polarity": enum must list only strings`,
	} {
		if _, err := ParseSchema([]byte(bad)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: %v, want %q", bad, err, want)
		}
	}
}

func TestEmbeddedSchemaIsValidJSON(t *testing.T) {
	if !json.Valid(JournalItems) {
		t.Error("the embedded schema is not JSON")
	}
}
