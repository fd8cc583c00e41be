// Command make writes the scripted model and a Modelfile for each template into a
// folder, to try them by hand:
//
//	go run ./chat/scripted/make FOLDER
//	ollama create tiny-yes -f FOLDER/tiny-yes.Modelfile
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"verbatim/chat/scripted"
)

func main() {
	err := errors.New("name the folder to write to, for example: go run ./chat/scripted/make models")
	if len(os.Args) == 2 {
		err = write(os.Args[1])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "make:", err)
		os.Exit(2)
	}
}

func write(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	file, err := os.Create(filepath.Join(dir, "scripted.gguf"))
	if err != nil {
		return err
	}
	err = errors.Join(scripted.Write(file, scripted.Scripts()), file.Close())
	for _, m := range scripted.Models() {
		path := filepath.Join(dir, m.Name+".Modelfile")
		if err = errors.Join(err, os.WriteFile(path, []byte(m.Modelfile("./scripted.gguf")), 0o666)); err != nil {
			return err
		}
		fmt.Printf("ollama create %s -f %s\n", m.Name, path)
	}
	return nil
}
