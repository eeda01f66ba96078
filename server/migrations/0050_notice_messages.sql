-- Channels of an account: where its notices are sent besides the emails of its members.
-- unused since 0.1.0: no released version has the tables that are renamed here.
CREATE TABLE notice_channels (
    account_id integer NOT NULL REFERENCES accounts (id),
    id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
    kind text NOT NULL CHECK (kind IN ('email', 'slack', 'teams', 'json')),
    name text NOT NULL,
    -- Of an email channel.
    address text,
    -- Of the others, sealed: it is a credential of the chat service. The host is shown.
    url bytea,
    host text,
    kind_groups text[] NOT NULL,
    mode text NOT NULL CHECK (mode IN ('instant', 'daily', 'weekly')),
    created_by integer REFERENCES logins (id) ON DELETE SET NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    -- An address gets nothing but the link until its holder confirms it. The link is stored as a keyed digest.
    confirmed_at timestamptz,
    confirm_digest bytea UNIQUE,
    confirm_until timestamptz,
    PRIMARY KEY (account_id, id),
    CHECK ((kind = 'email') = (address IS NOT NULL) AND (kind = 'email') = (url IS NULL))
);
CREATE UNIQUE INDEX notice_channels_address ON notice_channels (account_id, lower(address));

-- Messages are emails to users or messages to channels.
ALTER TABLE notice_emails RENAME TO notice_messages;
ALTER INDEX notice_emails_due RENAME TO notice_messages_due;
ALTER INDEX notice_emails_of_login RENAME TO notice_messages_of_login;
ALTER TABLE notice_messages ALTER COLUMN login_id DROP NOT NULL;
ALTER TABLE notice_messages ADD COLUMN channel_id integer;
ALTER TABLE notice_messages ADD CONSTRAINT notice_messages_channel
    FOREIGN KEY (account_id, channel_id) REFERENCES notice_channels (account_id, id) ON DELETE CASCADE;
ALTER TABLE notice_messages ADD CONSTRAINT notice_messages_recipient CHECK (num_nonnulls(login_id, channel_id) = 1);
-- Sent to a chat service, whose URL an account chose. Emails go to the mail server of the operator.
ALTER TABLE notice_messages ADD COLUMN is_chat boolean NOT NULL DEFAULT false;
-- The response of the mail server, or the HTTP status of the chat service. Without one, `reason` is why.
ALTER TABLE notice_messages RENAME COLUMN smtp_code TO response_code;
ALTER TABLE notice_messages ADD COLUMN reason text;

ALTER TABLE notice_recipients DROP CONSTRAINT notice_recipients_pkey;
ALTER TABLE notice_recipients ALTER COLUMN login_id DROP NOT NULL;
ALTER TABLE notice_recipients ADD COLUMN channel_id integer;
ALTER TABLE notice_recipients ADD CONSTRAINT notice_recipients_channel
    FOREIGN KEY (account_id, channel_id) REFERENCES notice_channels (account_id, id) ON DELETE CASCADE;
ALTER TABLE notice_recipients ADD CONSTRAINT notice_recipients_recipient CHECK (num_nonnulls(login_id, channel_id) = 1);
ALTER TABLE notice_recipients ADD CONSTRAINT notice_recipients_once
    UNIQUE NULLS NOT DISTINCT (account_id, notice_id, login_id, channel_id);
ALTER TABLE notice_recipients RENAME COLUMN email_id TO message_id;
ALTER INDEX notice_recipients_of_email RENAME TO notice_recipients_of_message;

ALTER TABLE notice_preferences DROP CONSTRAINT notice_preferences_mode_check;
ALTER TABLE notice_preferences ADD CONSTRAINT notice_preferences_mode_check
    CHECK (mode IN ('instant', 'daily', 'weekly', 'off'));
-- Instead of the email of the user: the previous one, after a change.
ALTER TABLE notice_messages ADD COLUMN to_address text;

ALTER TABLE change_counts DROP CONSTRAINT change_counts_kind_check;
ALTER TABLE change_counts ADD CONSTRAINT change_counts_kind_check
    CHECK (kind IN ('hooks', 'audit', 'tests', 'invitations', 'channels'));
