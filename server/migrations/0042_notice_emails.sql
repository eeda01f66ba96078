-- Emails with notices, sent by workers.
CREATE TABLE notice_emails (
    account_id integer NOT NULL REFERENCES accounts (id),
    id bigint GENERATED ALWAYS AS IDENTITY,
    login_id integer NOT NULL REFERENCES logins (id) ON DELETE CASCADE,
    -- A test email has no notices.
    is_test boolean NOT NULL DEFAULT false,
    -- The same for all attempts, so that mail servers can recognize a duplicate.
    message_id uuid NOT NULL DEFAULT gen_random_uuid(),
    state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'sent', 'refused', 'expired', 'dropped')),
    attempts smallint NOT NULL DEFAULT 0,
    -- The next attempt. During an attempt, the end of its lease.
    next_at timestamptz NOT NULL DEFAULT now(),
    created_at timestamptz NOT NULL DEFAULT now(),
    -- Recipient and response of the last attempt.
    address text,
    smtp_code smallint,
    finished_at timestamptz,
    PRIMARY KEY (account_id, id)
);
CREATE INDEX notice_emails_due ON notice_emails (next_at) WHERE state = 'queued';
CREATE INDEX notice_emails_of_login ON notice_emails (account_id, login_id, created_at);

-- Users that a notice is for. Without email and time, the notice was dropped for this user.
CREATE TABLE notice_recipients (
    account_id integer NOT NULL,
    notice_id bigint NOT NULL,
    login_id integer NOT NULL REFERENCES logins (id) ON DELETE CASCADE,
    -- When to compose an email. Null: there is one, or the notice was dropped.
    send_at timestamptz,
    email_id bigint,
    PRIMARY KEY (account_id, notice_id, login_id),
    FOREIGN KEY (account_id, notice_id) REFERENCES notices (account_id, id) ON DELETE CASCADE
);
CREATE INDEX notice_recipients_due ON notice_recipients (send_at) WHERE send_at IS NOT NULL;
CREATE INDEX notice_recipients_of_email ON notice_recipients (account_id, email_id);
