require 'openssl'

# headers: a hash with lowercase names. url: as registered. body: the raw body, empty for GET.
def verify_x_signature(signing_key, headers, method, url, body)
  return false if signing_key.empty? # anyone can sign with an empty key

  timestamp = headers['x-timestamp'].to_s
  lines = [timestamp, headers['x-nonce'], method, url, OpenSSL::Digest::MD5.hexdigest(body)]
  expected = OpenSSL::HMAC.hexdigest('SHA256', signing_key, lines.join("\n"))
  is_genuine = OpenSSL.secure_compare(headers['x-signature'].to_s, expected)
  is_genuine && (Time.now.to_i - timestamp.to_i).abs <= 300
end
