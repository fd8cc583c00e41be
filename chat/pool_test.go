package chat_test

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"verbatim"
	"verbatim/chat"
	"verbatim/chat/fake"
	"verbatim/internal/parallel"
)

func questions(n int) iter.Seq2[verbatim.Prompt, error] {
	return func(yield func(verbatim.Prompt, error) bool) {
		for i := range n {
			if !yield(ask(fmt.Sprintf("Question %d?", i)), nil) {
				return
			}
		}
	}
}

// askAll asks many questions at a time and gives the errors by kind.
func askAll(ctx context.Context, workers, n int, model verbatim.ChatModel) (answered int, errs []error) {
	for _, err := range parallel.Map(ctx, workers, questions(n), model.Chat) {
		if err != nil {
			errs = append(errs, err)
			continue
		}
		answered++
	}
	return answered, errs
}

// inTime tries what depends on the clock up to three times: a machine that
// stands still for a moment spoils one try, a fault of ours spoils all of them.
func inTime(t *testing.T, try func(t *testing.T) error) {
	t.Helper()
	var err error
	for range 3 {
		if err = try(t); err == nil {
			return
		}
	}
	t.Error(err)
}

func TestEightCallsAtATimeLoseNoTime(t *testing.T) {
	if testing.Short() {
		t.Skip("13 seconds of waiting")
	}
	t.Parallel()
	inTime(t, func(t *testing.T) error {
		s := start(t, "m")
		s.Delay = 500 * time.Millisecond
		c := client(t, chat.Model{Label: "m", Servers: []chat.Server{{URL: s.URL, Concurrency: 8}}}, chat.Limits{})
		ledger := openLedger(t, t.TempDir(), true)
		begin := time.Now()
		answered, errs := askAll(t.Context(), 8, 200, c.For(ledger))
		took, ideal := time.Since(begin), 200/8*s.Delay
		t.Logf("200 calls of %v, 8 at a time: %v, %.3f times the ideal %v; %d at once", s.Delay, took, float64(took)/float64(ideal), ideal, s.Most())
		if answered != 200 || took > ideal*115/100 || s.Most() != 8 {
			return fmt.Errorf("%d answered, %v, in %v; ideal %v; at most %d at once", answered, errs, took, ideal, s.Most())
		}
		return nil
	})
}

func TestConcurrencyIsEachServersOwn(t *testing.T) {
	a, b := start(t, "m"), start(t, "m")
	a.Delay, b.Delay = 5*time.Millisecond, 5*time.Millisecond
	c := client(t, chat.Model{Label: "m", Servers: []chat.Server{{URL: a.URL, Concurrency: 1}, {URL: b.URL, Concurrency: 3}}}, chat.Limits{})
	answered, _ := askAll(t.Context(), 10, 80, c)
	if answered != 80 || a.Most() != 1 || b.Most() != 3 || len(a.Requests()) < 10 {
		t.Errorf("%d answered; %d and %d at once; %d at the first", answered, a.Most(), b.Most(), len(a.Requests()))
	}
}

func TestOneServerOfTwoDoesNotStopTheRun(t *testing.T) {
	for name, spoil := range map[string]func(*fake.Server){
		"dead":       func(s *fake.Server) { s.Away(true) },
		"busy":       func(s *fake.Server) { s.Fail = func(int, fake.Request) fake.Fault { return fake.Busy } },
		"slow":       func(s *fake.Server) { s.Delay = 300 * time.Millisecond },
		"hanging":    func(s *fake.Server) { s.Fail = func(int, fake.Request) fake.Fault { return fake.Hang } },
		"no servers": func(s *fake.Server) { s.Fail = func(int, fake.Request) fake.Fault { return fake.NotAModel } },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inTime(t, func(t *testing.T) error {
				good, bad := start(t, "m"), start(t, "m")
				good.Delay = 5 * time.Millisecond
				spoil(bad)
				c := client(t, chat.Model{Label: "m", Servers: []chat.Server{{URL: bad.URL, Concurrency: 4}, {URL: good.URL, Concurrency: 4}}},
					chat.Limits{Timeout: 700 * time.Millisecond, Pause: 50 * time.Millisecond})
				begin := time.Now()
				answered, errs := askAll(t.Context(), 8, 100, c)
				t.Logf("%v, %d calls at the bad server; %v", time.Since(begin).Round(time.Millisecond), len(bad.Requests()), c.Stats())
				if answered != 100 || time.Since(begin) > 5*time.Second {
					return fmt.Errorf("%d of 100 answered in %v: %v", answered, time.Since(begin), errs)
				}
				return nil
			})
		})
	}
}

func TestAServerThatComesBackIsWaitedFor(t *testing.T) {
	s := start(t)
	s.Models["m"] = fake.Model{Context: 900}
	both(t, s, func(t *testing.T, server chat.Server) {
		s.Away(true)
		time.AfterFunc(200*time.Millisecond, func() { s.Away(false) })
		server.Concurrency = 4
		c := client(t, chat.Model{Label: "m", Servers: []chat.Server{server}}, chat.Limits{Pause: 10 * time.Millisecond})
		var notices atomic.Int32
		c.Notice = func(text string) {
			notices.Add(1)
			if !strings.Contains(text, "waiting for "+server.URL) {
				t.Errorf("notice %q", text)
			}
		}
		if answered, errs := askAll(t.Context(), 4, 20, c); answered != 20 {
			t.Errorf("%d of 20 answered: %v", answered, errs)
		}
		if notices.Load() != 1 {
			t.Errorf("%d notices", notices.Load())
		}
		// What is to be known of the model is asked for again when it is back.
		if _, err := c.Chat(t.Context(), ask(strings.Repeat("a ", 1000))); chat.KindOf(err) != chat.PromptCut && chat.KindOf(err) != chat.ContextExceeded {
			t.Errorf("a prompt too long for its window: %v", err)
		}
	})
}

// A server that takes connections and answers nothing is away; a server on which
// one call takes too long is not.
func TestAFrozenServerIsWaitedFor(t *testing.T) {
	inTime(t, func(t *testing.T) error {
		s := start(t, "m")
		c := client(t, chat.Model{Label: "m", Servers: []chat.Server{{URL: s.URL, Concurrency: 4}}}, chat.Limits{Timeout: 100 * time.Millisecond})
		if _, err := c.Chat(t.Context(), ask("Is it?")); err != nil {
			return err
		}
		s.Freeze(true)
		time.AfterFunc(500*time.Millisecond, func() { s.Freeze(false) })
		if answered, errs := askAll(t.Context(), 4, 20, c); answered != 20 {
			return fmt.Errorf("%d of 20 answered: %v", answered, errs)
		}
		return nil
	})
}

func TestPatienceEnds(t *testing.T) {
	s := start(t, "m")
	s.Away(true)
	c := client(t, chat.Model{Label: "m", Servers: []chat.Server{{URL: s.URL, Concurrency: 4}}}, chat.Limits{Pause: 5 * time.Millisecond, Patience: 100 * time.Millisecond})
	begin := time.Now()
	answered, errs := askAll(t.Context(), 4, 20, c)
	if answered != 0 || len(errs) != 20 || time.Since(begin) > time.Minute {
		t.Fatalf("%d answered, %d errors in %v", answered, len(errs), time.Since(begin))
	}
	for _, err := range errs {
		if chat.KindOf(err) != chat.Unreachable || !strings.Contains(err.Error(), "away for 100ms") {
			t.Fatal(err)
		}
	}
}

func TestARefusedConnectionIsSaidSo(t *testing.T) {
	s := fake.New("m")
	s.Close()
	c := client(t, chat.Model{Label: "m", Servers: []chat.Server{{URL: s.URL}}}, chat.Limits{Patience: 20 * time.Millisecond})
	_, err := c.Chat(t.Context(), ask("Is it?"))
	if chat.KindOf(err) != chat.Unreachable || !strings.Contains(err.Error(), "refused") || !strings.Contains(err.Error(), "ollama serve") {
		t.Errorf("got %v", err)
	}
}
