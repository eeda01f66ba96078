require_relative 'webhook'
require_relative 'x-signature'

$stdin.each_line(chomp: true) do |line|
  secret, key, method, url, body, content, lines = line.split(/ /, -1).map { |field| field.unpack1('m') }
  headers = lines.split("\n").to_h { |header| header.split(': ', 2) }
  puts "#{verify_webhook(secret, headers, content)} #{verify_x_signature(key, headers, method, url, body)}"
end
