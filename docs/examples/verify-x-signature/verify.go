package webhook

import (
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// VerifyX reports whether Hookline signed a request with this signing key in the last five minutes.
// url is the URL as registered. body is the raw body, empty for GET.
func VerifyX(signingKey string, header http.Header, method, url string, body []byte) bool {
	if signingKey == "" { // anyone can sign with an empty key
		return false
	}
	timestamp := header.Get("x-timestamp")
	hash := md5.Sum(body)
	lines := []string{timestamp, header.Get("x-nonce"), method, url, hex.EncodeToString(hash[:])}
	mac := hmac.New(sha256.New, []byte(signingKey))
	mac.Write([]byte(strings.Join(lines, "\n")))
	expected := hex.EncodeToString(mac.Sum(nil))
	if !hmac.Equal([]byte(header.Get("x-signature")), []byte(expected)) {
		return false
	}
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	return err == nil && time.Since(time.Unix(seconds, 0)).Abs() <= 5*time.Minute
}
