package chat_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
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

// askAll asks n questions in parallel and returns the number of answers.
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

func TestParallelCallsLoseNoTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := start(t, "m")
		s.Delay = 500 * time.Millisecond
		c := client(t, chat.Model{Label: "m", Servers: []chat.Server{{URL: s.URL, Concurrency: 8}}}, chat.Limits{})
		ledger := openLedger(t, t.TempDir(), true)
		begin := time.Now()
		answered, errs := askAll(t.Context(), 8, 200, c.For(ledger))
		if took := time.Since(begin); answered != 200 || took != 200/8*s.Delay || s.Most() != 8 {
			t.Errorf("%d answered, %v, in %v; at most %d at the same time", answered, errs, took, s.Most())
		}
	})
}

func TestEachServerHasItsOwnConcurrency(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := start(t, "m"), start(t, "m")
		a.Delay, b.Delay = 5*time.Millisecond, 5*time.Millisecond
		c := client(t, chat.Model{Label: "m", Servers: []chat.Server{{URL: a.URL, Concurrency: 1}, {URL: b.URL, Concurrency: 3}}}, chat.Limits{})
		answered, _ := askAll(t.Context(), 10, 80, c)
		if answered != 80 || a.Most() != 1 || b.Most() != 3 || len(a.Requests()) < 10 {
			t.Errorf("%d answered; %d and %d at the same time; %d at the first server", answered, a.Most(), b.Most(), len(a.Requests()))
		}
	})
}

func TestOneBadServerOfTwoDoesNotStopTheRun(t *testing.T) {
	for name, damage := range map[string]func(*fake.Server){
		"unreachable":        func(s *fake.Server) { s.Away(true) },
		"busy":               func(s *fake.Server) { s.Fail = func(int, fake.Request) fake.Fault { return fake.Busy } },
		"slow":               func(s *fake.Server) { s.Delay = 300 * time.Millisecond },
		"hanging":            func(s *fake.Server) { s.Fail = func(int, fake.Request) fake.Fault { return fake.Hang } },
		"not a model server": func(s *fake.Server) { s.Fail = func(int, fake.Request) fake.Fault { return fake.NotAModel } },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				good, bad := start(t, "m"), start(t, "m")
				good.Delay = 5 * time.Millisecond
				damage(bad)
				c := client(t, chat.Model{Label: "m", Servers: []chat.Server{{URL: bad.URL, Concurrency: 4}, {URL: good.URL, Concurrency: 4}}},
					chat.Limits{Timeout: 700 * time.Millisecond})
				begin := time.Now()
				answered, errs := askAll(t.Context(), 8, 100, c)
				if took := time.Since(begin); answered != 100 || took > 5*time.Second {
					t.Errorf("%d of 100 answered in %v: %v; %v", answered, took, errs, c.Stats())
				}
			})
		})
	}
}

func TestTheClientWaitsForAServerThatComesBack(t *testing.T) {
	both(t, func(t *testing.T, s *fake.Server, server chat.Server) {
		s.Models["m"] = fake.Model{Context: 900}
		s.Away(true)
		time.AfterFunc(10*time.Minute, func() { s.Away(false) })
		server.Concurrency = 4
		c := client(t, chat.Model{Label: "m", Servers: []chat.Server{server}}, chat.Limits{})
		var notices atomic.Int32
		c.Notice = func(n chat.Notice) {
			notices.Add(1)
			if n.Topic != chat.Waiting || !strings.Contains(n.Text, "waiting for "+server.URL) {
				t.Errorf("notice %q", n)
			}
		}
		begin := time.Now()
		if answered, errs := askAll(t.Context(), 4, 20, c); answered != 20 || time.Since(begin) > 12*time.Minute {
			t.Errorf("%d of 20 answered in %v: %v", answered, time.Since(begin), errs)
		}
		if notices.Load() != 1 {
			t.Errorf("%d notices", notices.Load())
		}
		// The facts about the model are requested again when the server is back.
		if _, err := c.Chat(t.Context(), ask(strings.Repeat("a ", 1000))); chat.KindOf(err) != chat.PromptCut && chat.KindOf(err) != chat.ContextExceeded {
			t.Errorf("a prompt that is too long: %v", err)
		}
	})
}

// A server that accepts connections and answers nothing is unavailable; a server
// on which one call takes too long is not.
func TestTheClientWaitsForAFrozenServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := start(t, "m")
		c := client(t, chat.Model{Label: "m", Servers: []chat.Server{{URL: s.URL, Concurrency: 4}}}, chat.Limits{Timeout: time.Minute})
		if _, err := c.Chat(t.Context(), ask("Is it?")); err != nil {
			t.Fatal(err)
		}
		s.Freeze(true)
		time.AfterFunc(5*time.Minute, func() { s.Freeze(false) })
		if answered, errs := askAll(t.Context(), 4, 20, c); answered != 20 {
			t.Errorf("%d of 20 answered: %v", answered, errs)
		}
	})
}

func TestPatienceEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := start(t, "m")
		s.Away(true)
		c := client(t, chat.Model{Label: "m", Servers: []chat.Server{{URL: s.URL, Concurrency: 4}}}, chat.Limits{Patience: 30 * time.Minute})
		begin := time.Now()
		answered, errs := askAll(t.Context(), 4, 20, c)
		if took := time.Since(begin); answered != 0 || len(errs) != 20 || took < 30*time.Minute || took > 32*time.Minute {
			t.Fatalf("%d answered, %d errors in %v", answered, len(errs), took)
		}
		for _, err := range errs {
			if chat.KindOf(err) != chat.Unreachable || !strings.Contains(err.Error(), "unavailable for 30m0s") {
				t.Fatal(err)
			}
		}
	})
}

func TestTheErrorOfARefusedConnectionSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := client(t, chat.Model{Label: "m", Servers: []chat.Server{{URL: "http://127.0.0.1:65000"}}}, chat.Limits{Patience: time.Minute})
		_, err := c.Chat(t.Context(), ask("Is it?"))
		if chat.KindOf(err) != chat.Unreachable || !strings.Contains(err.Error(), "refused") || !strings.Contains(err.Error(), "ollama serve") {
			t.Errorf("got %v", err)
		}
	})
}

// A 500 without a known reason costs its call. The server rests, longer each time,
// and the run continues.
func TestAnUnknown500CostsOneCall(t *testing.T) {
	for _, fault := range []fake.Fault{fake.Broken, fake.Killed} {
		both(t, func(t *testing.T, s *fake.Server, server chat.Server) {
			s.Fail = func(_ int, r fake.Request) fake.Fault {
				if r.Prompt == "Question 3?" {
					return fault
				}
				return fake.None
			}
			c := client(t, chat.Model{Label: "m", Servers: []chat.Server{server}}, chat.Limits{})
			answered, errs := askAll(t.Context(), 4, 20, c)
			if answered != 19 || len(errs) != 1 || !errors.Is(errs[0], verbatim.ErrNoAnswer) {
				t.Errorf("%s: %d of 20 answered: %v", fault, answered, errs)
			}
		})
	}
}

// If nothing else comes for as long as patience, the run stops: before that the
// rests grow, so that a broken server is not asked thousands of times.
func TestARunOfUnknown500sStopsAfterPatience(t *testing.T) {
	for _, fault := range []fake.Fault{fake.Broken, fake.Killed, fake.NoDone} {
		both(t, func(t *testing.T, s *fake.Server, server chat.Server) {
			s.Fail = func(int, fake.Request) fake.Fault { return fault }
			server.Concurrency = 4
			c := client(t, chat.Model{Label: "m", Servers: []chat.Server{server}}, chat.Limits{Patience: 30 * time.Minute})
			begin := time.Now()
			_, errs := askAll(t.Context(), 4, 1000, c)
			took, last := time.Since(begin), errs[len(errs)-1]
			if took < 30*time.Minute || took > 32*time.Minute || chat.KindOf(last) != chat.Unreachable || errors.Is(last, verbatim.ErrNoAnswer) {
				t.Errorf("%s: after %v the last of %d errors is %v", fault, took, len(errs), last)
			}
			if n := len(s.Requests()); n > 60 {
				t.Errorf("%s: %d calls to a server that always fails", fault, n)
			}
		})
	}
}
