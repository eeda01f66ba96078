require 'openssl'

# headers: a hash with lowercase names. content: the raw body, for GET the raw query string.
def verify_webhook(secret, headers, content)
  timestamp = headers['webhook-timestamp'].to_s
  key = secret.delete_prefix('whsec_').unpack1('m')
  return false if key.empty? # anyone can sign with an empty key

  signed = "#{headers['webhook-id']}.#{timestamp}.".b + content.b
  expected = 'v1,' + [OpenSSL::HMAC.digest('SHA256', key, signed)].pack('m0')
  is_genuine = headers['webhook-signature'].to_s.split(' ').any? do |signature|
    OpenSSL.secure_compare(signature, expected)
  end
  is_genuine && (Time.now.to_i - timestamp.to_i).abs <= 300
end
