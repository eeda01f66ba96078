package main

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"verify/webhook"
)

func main() {
	lines := bufio.NewReader(os.Stdin)
	for {
		line, err := lines.ReadString('\n')
		if err == io.EOF {
			return
		}
		var fields []string
		for _, field := range strings.Split(strings.TrimSuffix(line, "\n"), " ") {
			bytes, _ := base64.StdEncoding.DecodeString(field)
			fields = append(fields, string(bytes))
		}
		header := http.Header{}
		for _, pair := range strings.Split(fields[6], "\n") {
			name, value, _ := strings.Cut(pair, ": ")
			header.Set(name, value)
		}
		fmt.Println(
			webhook.Verify(fields[0], header, []byte(fields[5])),
			webhook.VerifyX(fields[1], header, fields[2], fields[3], []byte(fields[4])),
		)
	}
}
