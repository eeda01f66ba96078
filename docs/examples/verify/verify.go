package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Verify reports whether Hookline signed a request with this secret in the last five minutes.
// content is the raw body, for GET the raw query string (r.URL.RawQuery).
func Verify(secret string, header http.Header, content []byte) bool {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || len(key) == 0 { // anyone can sign with an empty key
		return false
	}
	timestamp := header.Get("webhook-timestamp")
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(header.Get("webhook-id") + "." + timestamp + "."))
	mac.Write(content)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, signature := range strings.Split(header.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(signature), []byte(expected)) {
			seconds, err := strconv.ParseInt(timestamp, 10, 64)
			return err == nil && time.Since(time.Unix(seconds, 0)).Abs() <= 5*time.Minute
		}
	}
	return false
}
