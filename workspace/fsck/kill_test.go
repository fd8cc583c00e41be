package fsck

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"verbatim/workspace"
)

// wreck damages a folder in many ways at once.
func wreck(t testing.TB, folder *workspace.Folder) {
	for _, name := range []string{"a decision that is not JSON", "a torn decision", "a torn ledger", "a call without an answer",
		"a vote that is not JSON", "made.json of zeros", "metadata cut short", "settings of zeros", "a temporary file", "a torn record"} {
		at := slices.IndexFunc(damages, func(d damage) bool { return d.name == name })
		lines(t, folder, damages[at].file, damages[at].change)
	}
}

// A process that repairs a folder, and kills itself at a step.
const killDir, killStep = "FSCK_TEST_DIR", "FSCK_TEST_STEP"

func TestMain(m *testing.M) {
	dir := os.Getenv(killDir)
	if dir == "" {
		os.Exit(m.Run())
	}
	left, _ := strconv.Atoi(os.Getenv(killStep))
	_, err := Check(context.Background(), workspace.FolderAt(dir), Options{Repair: true, Now: now, step: func(string, string) {
		if left--; left < 0 {
			self, _ := os.FindProcess(os.Getpid())
			_ = self.Kill()
			time.Sleep(time.Hour)
		}
	}})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

// A repair that is killed, at any step, has lost nothing: what is there can be
// combined to what was there, and the next repair ends as one without a
// kill does.
func TestAKilledRepairLosesNothing(t *testing.T) {
	whole := sample(t)
	wreck(t, whole)
	before := tree(t, whole.Dir())
	check(t, whole, true)
	want := withoutAside(tree(t, whole.Dir()))
	steps := 0
	for ; ; steps++ {
		folder := sample(t)
		wreck(t, folder)
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), killDir+"="+folder.Dir(), killStep+"="+strconv.Itoa(steps))
		out, err := cmd.CombinedOutput()
		if err == nil {
			break // it ended before this step
		}
		if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() == 2 {
			t.Fatalf("step %d: %v\n%s", steps, err, out)
		}
		if restored := putBack(t, tree(t, folder.Dir())); len(difference(restored, before)) > 0 {
			t.Fatalf("killed at step %d, these are lost: %v", steps, difference(restored, before))
		}
		check(t, folder, true)
		if changed := difference(want, withoutAside(tree(t, folder.Dir()))); len(changed) > 0 {
			t.Fatalf("killed at step %d and repaired again, these differ: %v", steps, changed)
		}
		if restored := putBack(t, tree(t, folder.Dir())); len(difference(restored, before)) > 0 {
			t.Fatalf("killed at step %d and repaired again, these are lost: %v", steps, difference(restored, before))
		}
	}
	if steps < 20 {
		t.Errorf("the repair has only %d steps", steps)
	}
	t.Logf("killed at %d steps", steps)
}

func withoutAside(all map[string]string) map[string]string {
	for name := range all {
		if strings.HasPrefix(name, asideFolder+"/") {
			delete(all, name)
		}
	}
	return all
}
