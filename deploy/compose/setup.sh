#!/bin/sh
# Creates .env, the secrets and the nginx site of compose.yaml. Keeps files that exist, so that it can run again.
set -eu
host=${1:?usage: ./setup.sh <host name>, for example ./setup.sh hooks.example.com}
cd "$(dirname "$0")"

# Only this user can enter the folder. The files are readable by the users of the containers.
umask 022
mkdir -p secrets
chmod 700 secrets

create() {
  [ -s "secrets/$1" ] && return
  cat >"secrets/$1"
  echo "created secrets/$1"
}

random() {
  openssl rand -hex 24
}

openssl rand -base64 32 | create master-key
random | create database-password
echo "postgres://hookline:$(cat secrets/database-password)@database:5432/hookline" | create database-url
nats_token=$(random)
echo "nats://$nats_token@nats:4222" | create nats-url
# The token of an existing URL stays.
nats_token=$(sed 's|nats://\(.*\)@.*|\1|' secrets/nats-url)
create nats-config <<CONFIG
port: 4222
authorization { token: "$nats_token" }
CONFIG

if [ ! -s secrets/tls-key.pem ]; then
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 90 -subj "/CN=$host" \
    -addext "subjectAltName=DNS:$host" -keyout secrets/tls-key.pem -out secrets/tls-certificate.pem 2>/dev/null
  chmod 644 secrets/tls-key.pem
  echo "created a self-signed certificate for $host; replace secrets/tls-certificate.pem and secrets/tls-key.pem"
fi

# The site of a single machine, with the names and ports of the containers.
if [ ! -s nginx-site.conf ]; then
  sed -e '/listen \[::\]/d' -e 's/listen 80;/listen 8080;/' -e 's/listen 443 /listen 8443 /' \
    -e 's/127.0.0.1:8080/api:8080/' -e "s/server_name .*;/server_name $host;/" \
    -e 's|ssl_certificate .*;|ssl_certificate /run/secrets/tls-certificate;|' \
    -e 's|ssl_certificate_key .*;|ssl_certificate_key /run/secrets/tls-key;|' ../nginx/hookline.conf >nginx-site.conf
  echo "created nginx-site.conf"
fi

if [ ! -s .env ]; then
  echo "BASE_URL=https://$host" >.env
  echo "created .env"
fi
echo "Keep a copy of secrets/master-key apart from the backups of the database."
