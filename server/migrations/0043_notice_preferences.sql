-- Which notices a user gets by email. No row: each at once.
CREATE TABLE notice_preferences (
    account_id integer NOT NULL REFERENCES accounts (id),
    login_id integer NOT NULL REFERENCES logins (id) ON DELETE CASCADE,
    kind_group text NOT NULL,
    mode text NOT NULL CHECK (mode IN ('instant', 'daily', 'off')),
    PRIMARY KEY (account_id, login_id, kind_group)
);

-- Webhooks that a user gets no email about.
CREATE TABLE notice_mutes (
    account_id integer NOT NULL REFERENCES accounts (id),
    login_id integer NOT NULL REFERENCES logins (id) ON DELETE CASCADE,
    hook_id integer NOT NULL,
    PRIMARY KEY (account_id, login_id, hook_id)
);

-- The newest notice that a user has seen in the dashboard.
CREATE TABLE notice_reads (
    account_id integer NOT NULL REFERENCES accounts (id),
    login_id integer NOT NULL REFERENCES logins (id) ON DELETE CASCADE,
    notice_id bigint NOT NULL,
    PRIMARY KEY (account_id, login_id)
);
