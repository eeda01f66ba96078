-- Signing secrets are random and sealed. NULL: the secret of a hook or account that is older than this migration, which
-- is derived from the vault's key until its first rotation.
ALTER TABLE hooks ADD COLUMN secret bytea, ADD COLUMN previous_secret bytea;
-- Deliveries use next_signing_key from signing_key_switches_at on. Until then, calls can be signed with both.
ALTER TABLE accounts
    ADD COLUMN signing_key bytea,
    ADD COLUMN next_signing_key bytea,
    ADD COLUMN signing_key_switches_at timestamptz,
    ADD COLUMN signed_calls_required boolean NOT NULL DEFAULT false,
    ADD CONSTRAINT accounts_signing_key_switches_at_check
        CHECK ((next_signing_key IS NULL) = (signing_key_switches_at IS NULL));
ALTER TABLE keys ADD COLUMN signed_calls_required boolean NOT NULL DEFAULT false;

-- Nonces of signed calls. Each is accepted once per account, while a call with its timestamp would be accepted.
CREATE TABLE call_nonces (
    account_id integer NOT NULL,
    nonce text COLLATE "C" NOT NULL,
    used_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account_id, nonce)
);
CREATE INDEX call_nonces_used_at ON call_nonces (used_at);
