CREATE FUNCTION public.begin_ledger_write() RETURNS boolean
    LANGUAGE sql
    AS $$
  SELECT pg_advisory_xact_lock_shared(1819239282, 1) IS NOT NULL
$$;

CREATE FUNCTION public.commit_horizon() RETURNS xid8
    LANGUAGE sql STABLE
    AS $$
  WITH held AS MATERIALIZED (
    SELECT locktype, transactionid, coalesce(pid::text, virtualtransaction) AS holder,
           locktype = 'advisory' AND classid = 1819239282 AND objid = 1 AND objsubid = 2
             AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AS is_mark
    FROM pg_locks WHERE granted AND (locktype = 'advisory' OR locktype = 'transactionid' AND mode = 'ExclusiveLock')
  )
  SELECT coalesce(
    (SELECT running FROM pg_snapshot_xip(pg_current_snapshot()) AS running
     WHERE NOT EXISTS (
       SELECT FROM held WHERE locktype = 'transactionid' AND transactionid = running::xid
         AND NOT EXISTS (SELECT FROM held AS mark WHERE mark.is_mark AND mark.holder = held.holder))
     ORDER BY running LIMIT 1),
    pg_snapshot_xmax(pg_current_snapshot()))
$$;

CREATE FUNCTION public.own_account() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO memberships (account_id, login_id, role, can_reveal, can_export)
    VALUES (NEW.account_id, NEW.id, 'owner', true, true);
    RETURN NULL;
END $$;

CREATE FUNCTION public.uuid_v7(at timestamp with time zone) RETURNS uuid
    LANGUAGE sql PARALLEL SAFE
    AS $$
  SELECT encode(
    set_bit(set_bit(overlay(uuid_send(gen_random_uuid()) PLACING
      substring(int8send(floor(extract(epoch FROM at) * 1000)::bigint) FROM 3) FROM 1 FOR 6), 52, 1), 53, 1),
    'hex')::uuid
$$;

CREATE FUNCTION public.uuid_v7_floor(at timestamp with time zone) RETURNS uuid
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  SELECT encode(
    substring(int8send(floor(extract(epoch FROM at) * 1000)::bigint) FROM 3) || '\x70008000000000000000'::bytea,
    'hex')::uuid
$$;

CREATE TABLE public.accounts (
    id integer NOT NULL,
    name text NOT NULL,
    hooks_version bigint DEFAULT 0 NOT NULL,
    suspended_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    original_statuses boolean,
    signing_key bytea,
    next_signing_key bytea,
    signing_key_switches_at timestamp with time zone,
    signed_calls_required boolean DEFAULT false NOT NULL,
    country text,
    CONSTRAINT accounts_country_check CHECK ((country ~ '^[A-Z]{2}$'::text)),
    CONSTRAINT accounts_signing_key_switches_at_check CHECK (((next_signing_key IS NULL) = (signing_key_switches_at IS NULL)))
);

ALTER TABLE public.accounts ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.accounts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.attempts (
    account_id integer NOT NULL,
    event_id uuid NOT NULL,
    hook_id integer NOT NULL,
    round smallint NOT NULL,
    attempt smallint NOT NULL,
    started_at timestamp with time zone NOT NULL,
    reason text NOT NULL,
    status smallint,
    dns_ms real,
    connect_ms real,
    tls_ms real,
    first_byte_ms real,
    body_ms real,
    total_ms real NOT NULL,
    answer_headers text,
    answer_body bytea,
    worker text NOT NULL,
    xid xid8
)
PARTITION BY RANGE (event_id);

CREATE TABLE public.deliveries (
    account_id integer NOT NULL,
    event_id uuid NOT NULL,
    hook_id integer NOT NULL,
    round smallint NOT NULL,
    state text NOT NULL,
    reason text NOT NULL,
    attempts smallint NOT NULL,
    finished_at timestamp with time zone DEFAULT now() NOT NULL,
    xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
    hooks_version bigint,
    replay_id integer,
    started_at timestamp with time zone,
    status smallint,
    dns_ms real,
    connect_ms real,
    tls_ms real,
    first_byte_ms real,
    body_ms real,
    total_ms real,
    answer_headers text,
    answer_body bytea,
    worker text,
    CONSTRAINT deliveries_state_check CHECK ((state = ANY (ARRAY['delivered'::text, 'failed'::text, 'expired'::text, 'cancelled'::text])))
)
PARTITION BY RANGE (event_id);

CREATE VIEW public.all_attempts AS
 SELECT attempts.account_id,
    attempts.event_id,
    attempts.hook_id,
    attempts.round,
    attempts.attempt,
    attempts.started_at,
    attempts.reason,
    attempts.status,
    attempts.dns_ms,
    attempts.connect_ms,
    attempts.tls_ms,
    attempts.first_byte_ms,
    attempts.body_ms,
    attempts.total_ms,
    attempts.answer_headers,
    attempts.answer_body,
    attempts.worker
   FROM public.attempts
UNION ALL
 SELECT deliveries.account_id,
    deliveries.event_id,
    deliveries.hook_id,
    deliveries.round,
    deliveries.attempts AS attempt,
    deliveries.started_at,
    deliveries.reason,
    deliveries.status,
    deliveries.dns_ms,
    deliveries.connect_ms,
    deliveries.tls_ms,
    deliveries.first_byte_ms,
    deliveries.body_ms,
    deliveries.total_ms,
    deliveries.answer_headers,
    deliveries.answer_body,
    deliveries.worker
   FROM public.deliveries
  WHERE (deliveries.started_at IS NOT NULL);

CREATE TABLE public.apps (
    id text NOT NULL,
    account_id integer NOT NULL,
    name text NOT NULL,
    is_public boolean NOT NULL,
    redirect_uris text[] NOT NULL,
    secret_digest bytea,
    secret_prefix text,
    last_used_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    pkce_required boolean DEFAULT true NOT NULL,
    CONSTRAINT apps_check CHECK ((is_public = (secret_digest IS NULL))),
    CONSTRAINT apps_pkce_required_check CHECK ((pkce_required OR (NOT is_public)))
);

CREATE TABLE public.audit (
    id bigint NOT NULL,
    account_id integer,
    at timestamp with time zone DEFAULT now() NOT NULL,
    actor text NOT NULL,
    action text NOT NULL,
    subject text NOT NULL,
    detail jsonb DEFAULT '{}'::jsonb NOT NULL
);

ALTER TABLE public.audit ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.audit_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE UNLOGGED TABLE public.call_counts (
    account_id integer NOT NULL,
    minute timestamp with time zone NOT NULL,
    calls integer NOT NULL
)
WITH (fillfactor='50');

CREATE TABLE public.call_nonces (
    account_id integer NOT NULL,
    nonce text NOT NULL COLLATE pg_catalog."C",
    used_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE UNLOGGED TABLE public.change_counts (
    account_id integer NOT NULL,
    kind text NOT NULL,
    minute timestamp with time zone NOT NULL,
    in_minute integer NOT NULL,
    day date NOT NULL,
    in_day integer NOT NULL,
    CONSTRAINT change_counts_kind_check CHECK ((kind = ANY (ARRAY['hooks'::text, 'audit'::text, 'tests'::text, 'invitations'::text, 'channels'::text])))
)
WITH (fillfactor='50');

CREATE TABLE public.cleanup_clock (
    id boolean DEFAULT true NOT NULL,
    at timestamp with time zone NOT NULL,
    leaped_at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    dropped_at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    CONSTRAINT cleanup_clock_id_check CHECK (id)
);

CREATE TABLE public.consumers (
    account_id integer NOT NULL,
    id integer NOT NULL,
    name text NOT NULL,
    hook_id integer,
    event_type text NOT NULL,
    event_filter text,
    request_method text NOT NULL,
    secret bytea NOT NULL,
    created_by text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    xid xid8 NOT NULL,
    event_id uuid NOT NULL,
    position_at timestamp with time zone NOT NULL,
    lease uuid,
    lease_until timestamp with time zone,
    polled_at timestamp with time zone
);

ALTER TABLE public.consumers ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.consumers_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.deprecated_uses (
    account_id integer NOT NULL,
    kind text NOT NULL,
    day date NOT NULL,
    uses bigint NOT NULL
);

CREATE TABLE public.email_verifications (
    digest bytea NOT NULL,
    login_id integer NOT NULL,
    email text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL
);

CREATE TABLE public.event_keys (
    account_id integer NOT NULL,
    key text NOT NULL,
    digest bytea NOT NULL,
    event_id uuid NOT NULL,
    accepted_at timestamp with time zone NOT NULL
);

CREATE TABLE public.event_rollups (
    account_id integer NOT NULL,
    hour timestamp with time zone NOT NULL,
    events bigint NOT NULL
)
WITH (fillfactor='70');

CREATE TABLE public.event_types (
    name text NOT NULL,
    definition json NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    changed_at timestamp with time zone DEFAULT now() NOT NULL,
    removed_at timestamp with time zone
);

CREATE TABLE public.event_types_version (
    is_only boolean DEFAULT true NOT NULL,
    version bigint DEFAULT 0 NOT NULL,
    CONSTRAINT event_types_version_is_only_check CHECK (is_only)
);

CREATE TABLE public.events (
    account_id integer NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    data text NOT NULL,
    producer_id integer NOT NULL,
    occurred_at timestamp with time zone,
    accepted_at timestamp with time zone NOT NULL,
    message_id text,
    sender text,
    recipient text,
    foreign_id text,
    xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
    test_hook_id integer,
    traceparent text,
    test_consumer_id integer
)
PARTITION BY RANGE (id);

CREATE TABLE public.former_members (
    account_id integer NOT NULL,
    login_id integer NOT NULL,
    alias text NOT NULL,
    left_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.grants (
    digest bytea NOT NULL,
    account_id integer NOT NULL,
    app_id text NOT NULL,
    login_id integer NOT NULL,
    scopes text[] NOT NULL,
    payload bytea NOT NULL,
    granted_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone
);

CREATE TABLE public.hook_certificates (
    account_id integer NOT NULL,
    hook_id integer NOT NULL,
    host text NOT NULL,
    valid_until timestamp with time zone NOT NULL,
    seen_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.hook_failures (
    account_id integer NOT NULL,
    hook_id integer NOT NULL,
    failing_since timestamp with time zone,
    attempts integer NOT NULL,
    failures real DEFAULT 0 NOT NULL,
    successes real DEFAULT 0 NOT NULL,
    counted_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.hook_problems (
    account_id integer NOT NULL,
    hook_id integer NOT NULL,
    problem text NOT NULL,
    since timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.hook_slow_attempts (
    account_id integer NOT NULL,
    hook_id integer NOT NULL,
    hour timestamp with time zone NOT NULL,
    attempts integer NOT NULL
);

CREATE TABLE public.hook_version_uses (
    account_id integer NOT NULL,
    version bigint NOT NULL,
    used_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.hook_versions (
    account_id integer NOT NULL,
    hook_id integer NOT NULL,
    version bigint NOT NULL,
    change text NOT NULL,
    actor text NOT NULL,
    target_url text NOT NULL,
    event_type text NOT NULL,
    request_method text NOT NULL,
    event_filter text,
    headers bytea,
    enabled boolean NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    form_fields text DEFAULT 'nested'::text NOT NULL,
    retry_policy text DEFAULT 'standard'::text NOT NULL,
    accept_header boolean DEFAULT false NOT NULL,
    signature_url text DEFAULT 'registered'::text NOT NULL,
    registered_as text,
    name text,
    description text,
    max_per_second integer DEFAULT 0,
    trace_header boolean DEFAULT false NOT NULL,
    CONSTRAINT hook_versions_change_check CHECK ((change = ANY (ARRAY['created'::text, 'changed'::text, 'enabled'::text, 'disabled'::text, 'deleted'::text])))
);

CREATE TABLE public.hook_warnings (
    account_id integer NOT NULL,
    hook_id integer NOT NULL,
    failing_since timestamp with time zone NOT NULL,
    kind text NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT hook_warnings_kind_check CHECK ((kind = ANY (ARRAY['1 hour'::text, '24 hours'::text, '3 days'::text, 'disabled'::text, 'gone'::text])))
);

CREATE TABLE public.hooks (
    account_id integer NOT NULL,
    id integer NOT NULL,
    target_url text NOT NULL,
    call_url text NOT NULL,
    event_type text NOT NULL,
    request_method text NOT NULL,
    event_filter text,
    headers bytea,
    enabled boolean DEFAULT true NOT NULL,
    fingerprint bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    secret_generation smallint DEFAULT 1 NOT NULL,
    secret_rotated_at timestamp with time zone,
    disabled_reason text,
    max_per_second integer,
    secret bytea,
    previous_secret bytea,
    form_fields text DEFAULT 'nested'::text NOT NULL,
    retry_policy text DEFAULT 'standard'::text NOT NULL,
    accept_header boolean DEFAULT false NOT NULL,
    signature_url text DEFAULT 'registered'::text NOT NULL,
    registered_as text,
    name text,
    description text,
    trace_header boolean DEFAULT false NOT NULL,
    CONSTRAINT hooks_max_per_second_check CHECK ((max_per_second > 0))
);

ALTER TABLE public.hooks ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.hooks_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.idempotency_keys (
    account_id integer NOT NULL,
    key text NOT NULL COLLATE pg_catalog."C",
    call_digest bytea NOT NULL,
    response bytea,
    used_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.inbox (
    event_id uuid NOT NULL,
    account_id integer NOT NULL,
    taken_until timestamp with time zone,
    tries smallint DEFAULT 0 NOT NULL,
    apart boolean DEFAULT false NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_cost_delay='0');

CREATE TABLE public.invitations (
    account_id integer NOT NULL,
    id integer NOT NULL,
    email text NOT NULL,
    role text NOT NULL,
    can_reveal boolean NOT NULL,
    can_export boolean NOT NULL,
    digest bytea NOT NULL,
    invited_by integer NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    sent_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT invitations_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'support'::text, 'developer'::text, 'admin'::text, 'owner'::text])))
);

ALTER TABLE public.invitations ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.invitations_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.keys (
    id integer NOT NULL,
    account_id integer NOT NULL,
    name text NOT NULL,
    prefix text NOT NULL,
    digest bytea NOT NULL,
    sealed bytea NOT NULL,
    scopes text[] NOT NULL,
    allowed_ips cidr[],
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    last_used_at timestamp with time zone,
    last_used_method text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    signed_calls_required boolean DEFAULT false NOT NULL,
    imported_as text,
    CONSTRAINT keys_imported_as_check CHECK ((imported_as = ANY (ARRAY['key'::text, 'sha256'::text, 'sha512'::text])))
);

ALTER TABLE public.keys ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.keys_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.known_networks (
    login_id integer NOT NULL,
    network bytea NOT NULL,
    seen_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.lane (
    account_id integer NOT NULL,
    hook_id integer NOT NULL,
    due_at timestamp with time zone NOT NULL,
    host text DEFAULT ''::text NOT NULL,
    open_seconds smallint DEFAULT 0 NOT NULL,
    not_before timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    is_probing boolean DEFAULT false NOT NULL,
    recovered_at timestamp with time zone,
    stop_id integer,
    tested_at timestamp with time zone,
    opened_at timestamp with time zone
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_cost_delay='0');

CREATE UNLOGGED TABLE public.login_attempts (
    bucket bytea NOT NULL,
    attempts integer NOT NULL,
    started_at timestamp with time zone NOT NULL,
    in_flight jsonb DEFAULT '{}'::jsonb NOT NULL
);

CREATE TABLE public.logins (
    id integer NOT NULL,
    account_id integer,
    alias text NOT NULL,
    email text,
    password_hash text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    totp_sealed bytea,
    totp_confirmed_at timestamp with time zone,
    totp_last_step bigint DEFAULT 0 NOT NULL,
    failure_audited_at timestamp with time zone,
    email_verified_at timestamp with time zone,
    CONSTRAINT logins_alias_check CHECK ((alias !~ '@'::text)),
    CONSTRAINT logins_email_check CHECK ((email ~ '@'::text))
);

ALTER TABLE public.logins ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.logins_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.memberships (
    account_id integer NOT NULL,
    login_id integer NOT NULL,
    role text NOT NULL,
    can_reveal boolean NOT NULL,
    can_export boolean NOT NULL,
    joined_at timestamp with time zone DEFAULT now() NOT NULL,
    used_at timestamp with time zone DEFAULT now() NOT NULL,
    is_break_glass boolean DEFAULT false NOT NULL,
    CONSTRAINT memberships_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'support'::text, 'developer'::text, 'admin'::text, 'owner'::text])))
);

CREATE TABLE public.migrations (
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.notice_channels (
    account_id integer NOT NULL,
    id integer NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    address text,
    url bytea,
    host text,
    kind_groups text[] NOT NULL,
    mode text NOT NULL,
    created_by integer,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    confirmed_at timestamp with time zone,
    confirm_digest bytea,
    confirm_until timestamp with time zone,
    CONSTRAINT notice_channels_check CHECK ((((kind = 'email'::text) = (address IS NOT NULL)) AND ((kind = 'email'::text) = (url IS NULL)))),
    CONSTRAINT notice_channels_kind_check CHECK ((kind = ANY (ARRAY['email'::text, 'slack'::text, 'teams'::text, 'json'::text]))),
    CONSTRAINT notice_channels_mode_check CHECK ((mode = ANY (ARRAY['instant'::text, 'daily'::text, 'weekly'::text])))
);

ALTER TABLE public.notice_channels ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.notice_channels_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.notice_messages (
    account_id integer NOT NULL,
    id bigint NOT NULL,
    login_id integer,
    is_test boolean DEFAULT false NOT NULL,
    message_id uuid DEFAULT gen_random_uuid() NOT NULL,
    state text DEFAULT 'queued'::text NOT NULL,
    attempts smallint DEFAULT 0 NOT NULL,
    next_at timestamp with time zone DEFAULT now() NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    address text,
    response_code smallint,
    finished_at timestamp with time zone,
    channel_id integer,
    is_chat boolean DEFAULT false NOT NULL,
    reason text,
    to_address text,
    CONSTRAINT notice_messages_recipient CHECK ((num_nonnulls(login_id, channel_id) = 1)),
    CONSTRAINT notice_messages_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'sent'::text, 'refused'::text, 'expired'::text, 'dropped'::text, 'bounced'::text])))
);

ALTER TABLE public.notice_messages ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.notice_emails_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.notice_mutes (
    account_id integer NOT NULL,
    login_id integer NOT NULL,
    hook_id integer NOT NULL
);

CREATE TABLE public.notice_preferences (
    account_id integer NOT NULL,
    login_id integer NOT NULL,
    kind_group text NOT NULL,
    mode text NOT NULL,
    CONSTRAINT notice_preferences_mode_check CHECK ((mode = ANY (ARRAY['instant'::text, 'daily'::text, 'weekly'::text, 'off'::text])))
);

CREATE TABLE public.notice_reads (
    account_id integer NOT NULL,
    login_id integer NOT NULL,
    notice_id bigint NOT NULL
);

CREATE TABLE public.notice_recipients (
    account_id integer NOT NULL,
    notice_id bigint NOT NULL,
    login_id integer,
    send_at timestamp with time zone,
    message_id bigint,
    channel_id integer,
    CONSTRAINT notice_recipients_recipient CHECK ((num_nonnulls(login_id, channel_id) = 1))
);

CREATE TABLE public.notices (
    account_id integer NOT NULL,
    id bigint NOT NULL,
    hook_id integer,
    kind text NOT NULL,
    streak timestamp with time zone NOT NULL,
    detail jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    state text DEFAULT 'waiting'::text NOT NULL,
    due_at timestamp with time zone NOT NULL,
    is_open boolean NOT NULL,
    subject text NOT NULL,
    login_id integer,
    is_published boolean DEFAULT false NOT NULL,
    CONSTRAINT notices_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'ready'::text, 'dropped'::text])))
);

ALTER TABLE public.notices ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.notices_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.oauth_records (
    digest bytea NOT NULL,
    model text NOT NULL,
    grant_digest bytea,
    scopes text[] NOT NULL,
    payload bytea NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    consumed_at timestamp with time zone,
    CONSTRAINT oauth_records_check CHECK (((model = 'Interaction'::text) = (grant_digest IS NULL))),
    CONSTRAINT oauth_records_model_check CHECK ((model = ANY (ARRAY['Interaction'::text, 'AuthorizationCode'::text, 'AccessToken'::text, 'RefreshToken'::text])))
);

CREATE TABLE public.onboarding (
    account_id integer NOT NULL,
    test_delivered_at timestamp with time zone,
    signature_verified_at timestamp with time zone,
    dismissed_at timestamp with time zone
);

CREATE TABLE public.parked (
    event_id uuid NOT NULL,
    account_id integer NOT NULL,
    reason text NOT NULL,
    parked_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.passkeys (
    id integer NOT NULL,
    login_id integer NOT NULL,
    credential_id bytea NOT NULL,
    public_key bytea NOT NULL,
    counter bigint NOT NULL,
    transports text[] NOT NULL,
    name text NOT NULL,
    is_synced boolean NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_used_at timestamp with time zone
);

ALTER TABLE public.passkeys ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.passkeys_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.password_resets (
    login_id integer NOT NULL,
    digest bytea NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE UNLOGGED TABLE public.people_call_counts (
    account_id integer NOT NULL,
    minute timestamp with time zone NOT NULL,
    calls integer NOT NULL
)
WITH (fillfactor='50');

CREATE TABLE public.producers (
    id integer NOT NULL,
    name text NOT NULL,
    prefix text NOT NULL,
    digest bytea NOT NULL,
    revoked_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE public.producers ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.producers_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.recovery_codes (
    login_id integer NOT NULL,
    digest bytea NOT NULL
);

CREATE TABLE public.replays (
    account_id integer NOT NULL,
    id integer NOT NULL,
    kind text NOT NULL,
    selection jsonb NOT NULL,
    state text NOT NULL,
    max_per_second integer NOT NULL,
    created_by text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    "position" text,
    is_counted boolean NOT NULL,
    is_read boolean DEFAULT false NOT NULL,
    total integer DEFAULT 0 NOT NULL,
    started integer DEFAULT 0 NOT NULL,
    skipped integer DEFAULT 0 NOT NULL,
    delivered integer DEFAULT 0 NOT NULL,
    failed integer DEFAULT 0 NOT NULL,
    counted_at timestamp with time zone,
    next_at timestamp with time zone DEFAULT now() NOT NULL,
    finished_at timestamp with time zone,
    skipped_disabled integer DEFAULT 0 NOT NULL,
    skipped_deleted integer DEFAULT 0 NOT NULL,
    skipped_pending integer DEFAULT 0 NOT NULL,
    per_second real,
    waiting jsonb DEFAULT '[]'::jsonb NOT NULL,
    outcomes jsonb DEFAULT '[]'::jsonb NOT NULL,
    ended_by_disabling boolean DEFAULT false NOT NULL,
    CONSTRAINT replays_kind_check CHECK ((kind = ANY (ARRAY['deliveries'::text, 'search'::text, 'held'::text]))),
    CONSTRAINT replays_max_per_second_check CHECK ((max_per_second > 0)),
    CONSTRAINT replays_state_check CHECK ((state = ANY (ARRAY['counting'::text, 'running'::text, 'paused'::text, 'done'::text, 'cancelled'::text])))
);

ALTER TABLE public.replays ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.replays_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.rollup_deltas (
    hour timestamp with time zone NOT NULL,
    account_ids integer[] NOT NULL,
    hook_ids integer[],
    counts integer[] NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_cost_delay='0', toast_tuple_target='8160');

CREATE TABLE public.rollups (
    account_id integer NOT NULL,
    hook_id integer NOT NULL,
    hour timestamp with time zone NOT NULL,
    delivered bigint DEFAULT 0 NOT NULL,
    failed bigint DEFAULT 0 NOT NULL,
    expired bigint DEFAULT 0 NOT NULL,
    cancelled bigint DEFAULT 0 NOT NULL,
    attempts bigint DEFAULT 0 NOT NULL,
    failures bigint DEFAULT 0 NOT NULL,
    status_3xx bigint DEFAULT 0 NOT NULL,
    status_4xx bigint DEFAULT 0 NOT NULL,
    status_5xx bigint DEFAULT 0 NOT NULL,
    timeouts bigint DEFAULT 0 NOT NULL
);

CREATE TABLE public.routes (
    account_id integer NOT NULL,
    event_id uuid NOT NULL,
    hooks_version bigint NOT NULL,
    routed_at timestamp with time zone DEFAULT now() NOT NULL
)
PARTITION BY RANGE (event_id);

CREATE TABLE public.secret_holders (
    account_id integer NOT NULL,
    login_id integer NOT NULL,
    subject text NOT NULL,
    is_creator boolean NOT NULL,
    seen_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.sessions (
    id integer NOT NULL,
    account_id integer NOT NULL,
    login_id integer NOT NULL,
    digest bytea NOT NULL,
    ip text NOT NULL,
    user_agent text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_used_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    sso_issuer text,
    sso_confirmed_at timestamp with time zone
);

ALTER TABLE public.sessions ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.sessions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.sso_connections (
    account_id integer NOT NULL,
    id text NOT NULL,
    name text NOT NULL,
    issuer text NOT NULL,
    client_id text NOT NULL,
    client_secret bytea,
    is_required boolean DEFAULT false NOT NULL,
    default_role text,
    can_reveal boolean DEFAULT false NOT NULL,
    can_export boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    changed_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT sso_connections_default_role_check CHECK ((default_role = ANY (ARRAY['viewer'::text, 'support'::text, 'developer'::text])))
);

CREATE TABLE public.sso_domains (
    account_id integer NOT NULL,
    id integer NOT NULL,
    domain text NOT NULL,
    challenge text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    verified_at timestamp with time zone
);

ALTER TABLE public.sso_domains ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.sso_domains_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.sso_identities (
    account_id integer NOT NULL,
    id integer NOT NULL,
    issuer text NOT NULL,
    subject text NOT NULL,
    login_id integer NOT NULL,
    email text,
    linked_at timestamp with time zone DEFAULT now() NOT NULL,
    used_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE public.sso_identities ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.sso_identities_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.sso_used_states (
    digest bytea NOT NULL,
    expires_at timestamp with time zone NOT NULL
);

CREATE TABLE public.stops (
    id integer NOT NULL,
    scope text NOT NULL,
    account_id integer,
    hook_id integer,
    host text,
    reason text NOT NULL,
    is_suspension boolean DEFAULT false NOT NULL,
    actor text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT stops_check CHECK (((account_id IS NOT NULL) = (scope = ANY (ARRAY['account'::text, 'hook'::text])))),
    CONSTRAINT stops_check1 CHECK (((hook_id IS NOT NULL) = (scope = 'hook'::text))),
    CONSTRAINT stops_check2 CHECK (((host IS NOT NULL) = (scope = 'host'::text))),
    CONSTRAINT stops_scope_check CHECK ((scope = ANY (ARRAY['all'::text, 'account'::text, 'hook'::text, 'host'::text])))
);

ALTER TABLE public.stops ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.stops_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.stops_version (
    is_only boolean DEFAULT true NOT NULL,
    version bigint DEFAULT 0 NOT NULL,
    CONSTRAINT stops_version_is_only_check CHECK (is_only)
);

CREATE TABLE public.suspects (
    event_id uuid NOT NULL,
    hook_id integer NOT NULL,
    account_id integer NOT NULL,
    due_at timestamp with time zone DEFAULT now() NOT NULL,
    is_alone boolean DEFAULT false NOT NULL,
    quarantined_at timestamp with time zone,
    reason text,
    inconclusive_attempts integer DEFAULT 0 NOT NULL
);

CREATE TABLE public.test_requests (
    account_id integer NOT NULL,
    id bigint NOT NULL,
    hook_id integer NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL,
    request bytea NOT NULL
);

ALTER TABLE public.test_requests ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.test_requests_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.used_challenges (
    nonce bytea NOT NULL,
    expires_at timestamp with time zone NOT NULL
);

CREATE TABLE public.vault_keys (
    id integer NOT NULL,
    purpose text NOT NULL,
    wrapped bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT vault_keys_purpose_check CHECK ((purpose = ANY (ARRAY['seal'::text, 'digest'::text])))
);

ALTER TABLE public.vault_keys ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.vault_keys_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.work (
    account_id integer NOT NULL,
    hook_id integer NOT NULL,
    event_id uuid NOT NULL,
    round smallint DEFAULT 1 NOT NULL,
    type text NOT NULL,
    attempts smallint DEFAULT 0 NOT NULL,
    accepted_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone NOT NULL,
    held boolean DEFAULT false NOT NULL,
    lease uuid,
    lease_until timestamp with time zone,
    waits_since timestamp with time zone,
    hooks_version bigint,
    replay_id integer,
    faults smallint DEFAULT 0 NOT NULL,
    match_pending boolean DEFAULT false NOT NULL
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_cost_delay='0');

CREATE TABLE public.workers (
    id uuid NOT NULL,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    seen_at timestamp with time zone DEFAULT now() NOT NULL,
    lag_seconds real DEFAULT 0 NOT NULL
);

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.apps
    ADD CONSTRAINT apps_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.attempts
    ADD CONSTRAINT attempts_pkey PRIMARY KEY (account_id, event_id, hook_id, round, attempt);

ALTER TABLE ONLY public.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.call_counts
    ADD CONSTRAINT call_counts_pkey PRIMARY KEY (account_id);

ALTER TABLE ONLY public.call_nonces
    ADD CONSTRAINT call_nonces_pkey PRIMARY KEY (account_id, nonce);

ALTER TABLE ONLY public.change_counts
    ADD CONSTRAINT change_counts_pkey PRIMARY KEY (account_id, kind);

ALTER TABLE ONLY public.cleanup_clock
    ADD CONSTRAINT cleanup_clock_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.consumers
    ADD CONSTRAINT consumers_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_pkey PRIMARY KEY (account_id, event_id, hook_id, round);

ALTER TABLE ONLY public.deprecated_uses
    ADD CONSTRAINT deprecated_uses_pkey PRIMARY KEY (account_id, kind, day);

ALTER TABLE ONLY public.email_verifications
    ADD CONSTRAINT email_verifications_pkey PRIMARY KEY (digest);

ALTER TABLE ONLY public.event_keys
    ADD CONSTRAINT event_keys_pkey PRIMARY KEY (account_id, key);

ALTER TABLE ONLY public.event_rollups
    ADD CONSTRAINT event_rollups_pkey PRIMARY KEY (account_id, hour);

ALTER TABLE ONLY public.event_types
    ADD CONSTRAINT event_types_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.event_types_version
    ADD CONSTRAINT event_types_version_pkey PRIMARY KEY (is_only);

ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY public.former_members
    ADD CONSTRAINT former_members_pkey PRIMARY KEY (account_id, login_id);

ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_pkey PRIMARY KEY (digest);

ALTER TABLE ONLY public.hook_certificates
    ADD CONSTRAINT hook_certificates_pkey PRIMARY KEY (account_id, hook_id);

ALTER TABLE ONLY public.hook_failures
    ADD CONSTRAINT hook_failures_pkey PRIMARY KEY (account_id, hook_id);

ALTER TABLE ONLY public.hook_problems
    ADD CONSTRAINT hook_problems_pkey PRIMARY KEY (account_id, hook_id);

ALTER TABLE ONLY public.hook_slow_attempts
    ADD CONSTRAINT hook_slow_attempts_pkey PRIMARY KEY (account_id, hook_id, hour);

ALTER TABLE ONLY public.hook_version_uses
    ADD CONSTRAINT hook_version_uses_pkey PRIMARY KEY (account_id, version);

ALTER TABLE ONLY public.hook_versions
    ADD CONSTRAINT hook_versions_pkey PRIMARY KEY (account_id, hook_id, version);

ALTER TABLE ONLY public.hook_warnings
    ADD CONSTRAINT hook_warnings_pkey PRIMARY KEY (account_id, hook_id, failing_since, kind);

ALTER TABLE ONLY public.hooks
    ADD CONSTRAINT hooks_account_id_fingerprint_key UNIQUE (account_id, fingerprint);

ALTER TABLE ONLY public.hooks
    ADD CONSTRAINT hooks_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (account_id, key);

ALTER TABLE ONLY public.inbox
    ADD CONSTRAINT inbox_pkey PRIMARY KEY (event_id);

ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_digest_key UNIQUE (digest);

ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY public.keys
    ADD CONSTRAINT keys_digest_key UNIQUE (digest);

ALTER TABLE ONLY public.keys
    ADD CONSTRAINT keys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.known_networks
    ADD CONSTRAINT known_networks_pkey PRIMARY KEY (login_id, network);

ALTER TABLE ONLY public.lane
    ADD CONSTRAINT lane_pkey PRIMARY KEY (account_id, hook_id);

ALTER TABLE ONLY public.login_attempts
    ADD CONSTRAINT login_attempts_pkey PRIMARY KEY (bucket);

ALTER TABLE ONLY public.logins
    ADD CONSTRAINT logins_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_pkey PRIMARY KEY (account_id, login_id);

ALTER TABLE ONLY public.migrations
    ADD CONSTRAINT migrations_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.notice_channels
    ADD CONSTRAINT notice_channels_confirm_digest_key UNIQUE (confirm_digest);

ALTER TABLE ONLY public.notice_channels
    ADD CONSTRAINT notice_channels_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY public.notice_messages
    ADD CONSTRAINT notice_emails_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY public.notice_mutes
    ADD CONSTRAINT notice_mutes_pkey PRIMARY KEY (account_id, login_id, hook_id);

ALTER TABLE ONLY public.notice_preferences
    ADD CONSTRAINT notice_preferences_pkey PRIMARY KEY (account_id, login_id, kind_group);

ALTER TABLE ONLY public.notice_reads
    ADD CONSTRAINT notice_reads_pkey PRIMARY KEY (account_id, login_id);

ALTER TABLE ONLY public.notice_recipients
    ADD CONSTRAINT notice_recipients_once UNIQUE NULLS NOT DISTINCT (account_id, notice_id, login_id, channel_id);

ALTER TABLE ONLY public.notices
    ADD CONSTRAINT notices_once UNIQUE (account_id, subject, streak, kind);

ALTER TABLE ONLY public.notices
    ADD CONSTRAINT notices_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY public.oauth_records
    ADD CONSTRAINT oauth_records_pkey PRIMARY KEY (digest);

ALTER TABLE ONLY public.onboarding
    ADD CONSTRAINT onboarding_pkey PRIMARY KEY (account_id);

ALTER TABLE ONLY public.parked
    ADD CONSTRAINT parked_pkey PRIMARY KEY (event_id);

ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_credential_id_key UNIQUE (credential_id);

ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.password_resets
    ADD CONSTRAINT password_resets_pkey PRIMARY KEY (digest);

ALTER TABLE ONLY public.people_call_counts
    ADD CONSTRAINT people_call_counts_pkey PRIMARY KEY (account_id);

ALTER TABLE ONLY public.producers
    ADD CONSTRAINT producers_digest_key UNIQUE (digest);

ALTER TABLE ONLY public.producers
    ADD CONSTRAINT producers_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.recovery_codes
    ADD CONSTRAINT recovery_codes_pkey PRIMARY KEY (login_id, digest);

ALTER TABLE ONLY public.replays
    ADD CONSTRAINT replays_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY public.rollups
    ADD CONSTRAINT rollups_pkey PRIMARY KEY (account_id, hook_id, hour);

ALTER TABLE ONLY public.routes
    ADD CONSTRAINT routes_pkey PRIMARY KEY (event_id);

ALTER TABLE ONLY public.secret_holders
    ADD CONSTRAINT secret_holders_pkey PRIMARY KEY (account_id, login_id, subject);

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_digest_key UNIQUE (digest);

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.sso_connections
    ADD CONSTRAINT sso_connections_id_key UNIQUE (id);

ALTER TABLE ONLY public.sso_connections
    ADD CONSTRAINT sso_connections_pkey PRIMARY KEY (account_id);

ALTER TABLE ONLY public.sso_domains
    ADD CONSTRAINT sso_domains_account_id_domain_key UNIQUE (account_id, domain);

ALTER TABLE ONLY public.sso_domains
    ADD CONSTRAINT sso_domains_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY public.sso_identities
    ADD CONSTRAINT sso_identities_account_id_issuer_login_id_key UNIQUE (account_id, issuer, login_id);

ALTER TABLE ONLY public.sso_identities
    ADD CONSTRAINT sso_identities_account_id_issuer_subject_key UNIQUE (account_id, issuer, subject);

ALTER TABLE ONLY public.sso_identities
    ADD CONSTRAINT sso_identities_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY public.sso_used_states
    ADD CONSTRAINT sso_used_states_pkey PRIMARY KEY (digest);

ALTER TABLE ONLY public.stops
    ADD CONSTRAINT stops_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.stops_version
    ADD CONSTRAINT stops_version_pkey PRIMARY KEY (is_only);

ALTER TABLE ONLY public.suspects
    ADD CONSTRAINT suspects_pkey PRIMARY KEY (event_id, hook_id);

ALTER TABLE ONLY public.test_requests
    ADD CONSTRAINT test_requests_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY public.used_challenges
    ADD CONSTRAINT used_challenges_pkey PRIMARY KEY (nonce);

ALTER TABLE ONLY public.vault_keys
    ADD CONSTRAINT vault_keys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.work
    ADD CONSTRAINT work_pkey PRIMARY KEY (event_id, hook_id);

ALTER TABLE ONLY public.workers
    ADD CONSTRAINT workers_pkey PRIMARY KEY (id);

CREATE INDEX apps_account ON public.apps USING btree (account_id, created_at);

CREATE INDEX attempts_failed_of_hook ON ONLY public.attempts USING btree (account_id, hook_id, event_id) WHERE (reason <> 'delivered'::text);

CREATE INDEX attempts_reason ON ONLY public.attempts USING btree (account_id, reason, event_id) WHERE (reason <> 'delivered'::text);

CREATE INDEX attempts_status ON ONLY public.attempts USING btree (account_id, status, event_id) WHERE (reason <> 'delivered'::text);

CREATE INDEX attempts_tail ON ONLY public.attempts USING btree (account_id, xid) WHERE (xid IS NOT NULL);

CREATE INDEX audit_account ON public.audit USING btree (account_id, id);

CREATE INDEX call_nonces_used_at ON public.call_nonces USING btree (used_at);

CREATE UNIQUE INDEX consumers_name ON public.consumers USING btree (account_id, name);

CREATE INDEX deliveries_hook ON ONLY public.deliveries USING btree (account_id, hook_id, event_id);

CREATE INDEX deliveries_of_replay ON ONLY public.deliveries USING btree (account_id, replay_id) WHERE (replay_id IS NOT NULL);

CREATE INDEX deliveries_reason ON ONLY public.deliveries USING btree (account_id, reason, event_id) WHERE (state <> 'delivered'::text);

CREATE INDEX deliveries_state ON ONLY public.deliveries USING btree (account_id, state, event_id) WHERE (state <> 'delivered'::text);

CREATE INDEX deliveries_state_of_hook ON ONLY public.deliveries USING btree (account_id, hook_id, state, event_id) WHERE (state <> 'delivered'::text);

CREATE INDEX deliveries_tail ON ONLY public.deliveries USING btree (account_id, xid);

CREATE INDEX deprecated_uses_day ON public.deprecated_uses USING btree (day);

CREATE INDEX email_verifications_login ON public.email_verifications USING btree (login_id);

CREATE INDEX event_keys_accepted ON public.event_keys USING btree (accepted_at);

CREATE INDEX events_foreign ON ONLY public.events USING btree (account_id, foreign_id, id) WHERE (foreign_id IS NOT NULL);

CREATE INDEX events_message ON ONLY public.events USING btree (account_id, message_id, id);

CREATE INDEX events_recipient_end ON ONLY public.events USING btree (account_id, reverse(recipient) COLLATE "C", id) INCLUDE (recipient) WHERE (recipient IS NOT NULL);

CREATE INDEX events_sender_end ON ONLY public.events USING btree (account_id, reverse(sender) COLLATE "C", id) INCLUDE (sender) WHERE (sender IS NOT NULL);

CREATE INDEX events_tail ON ONLY public.events USING btree (account_id, xid);

CREATE INDEX events_type ON ONLY public.events USING btree (account_id, type, id);

CREATE INDEX grants_account ON public.grants USING btree (account_id, app_id);

CREATE INDEX grants_app ON public.grants USING btree (app_id);

CREATE INDEX grants_expire ON public.grants USING btree (expires_at);

CREATE INDEX grants_login ON public.grants USING btree (login_id);

CREATE INDEX hook_certificates_valid_until ON public.hook_certificates USING btree (valid_until);

CREATE INDEX hook_slow_attempts_hour ON public.hook_slow_attempts USING btree (hour);

CREATE INDEX hook_version_uses_at ON public.hook_version_uses USING btree (used_at);

CREATE INDEX hook_versions_at ON public.hook_versions USING btree (at);

CREATE UNIQUE INDEX hooks_id ON public.hooks USING btree (id);

CREATE INDEX hooks_rotated ON public.hooks USING btree (secret_rotated_at) WHERE (secret_rotated_at IS NOT NULL);

CREATE INDEX idempotency_keys_newest ON public.idempotency_keys USING btree (account_id, used_at);

CREATE INDEX idempotency_keys_used_at ON public.idempotency_keys USING btree (used_at);

CREATE INDEX inbox_account ON public.inbox USING btree (account_id);

CREATE INDEX inbox_apart ON public.inbox USING btree (account_id, event_id) WHERE apart;

CREATE INDEX inbox_fresh ON public.inbox USING btree (event_id) WHERE (NOT apart);

CREATE UNIQUE INDEX invitations_email ON public.invitations USING btree (account_id, lower(email));

CREATE INDEX invitations_invited_by ON public.invitations USING btree (invited_by);

CREATE INDEX keys_account ON public.keys USING btree (account_id, id);

CREATE INDEX keys_expires ON public.keys USING btree (expires_at) WHERE (revoked_at IS NULL);

CREATE INDEX keys_imported ON public.keys USING btree (id) WHERE (imported_as IS NOT NULL);

CREATE INDEX lane_due ON public.lane USING btree (GREATEST(due_at, not_before));

CREATE INDEX lane_opened ON public.lane USING btree (opened_at) WHERE (opened_at IS NOT NULL);

CREATE INDEX lane_stopped ON public.lane USING btree (stop_id) WHERE (stop_id IS NOT NULL);

CREATE INDEX login_attempts_started ON public.login_attempts USING btree (started_at);

CREATE INDEX logins_account ON public.logins USING btree (account_id);

CREATE UNIQUE INDEX logins_alias ON public.logins USING btree (lower(alias));

CREATE UNIQUE INDEX logins_email ON public.logins USING btree (lower(email));

CREATE INDEX memberships_login ON public.memberships USING btree (login_id);

CREATE UNIQUE INDEX notice_channels_address ON public.notice_channels USING btree (account_id, lower(address));

CREATE INDEX notice_messages_chat ON public.notice_messages USING btree (attempts, next_at) WHERE ((state = 'queued'::text) AND is_chat);

CREATE INDEX notice_messages_created ON public.notice_messages USING btree (created_at);

CREATE INDEX notice_messages_due ON public.notice_messages USING btree (next_at) WHERE (state = 'queued'::text);

CREATE INDEX notice_messages_message_id ON public.notice_messages USING btree (message_id);

CREATE INDEX notice_messages_of_channel ON public.notice_messages USING btree (account_id, channel_id, id) WHERE (channel_id IS NOT NULL);

CREATE INDEX notice_messages_of_login ON public.notice_messages USING btree (account_id, login_id, created_at);

CREATE INDEX notice_messages_recent ON public.notice_messages USING btree (account_id, created_at);

CREATE INDEX notice_recipients_due ON public.notice_recipients USING btree (send_at) WHERE (send_at IS NOT NULL);

CREATE INDEX notice_recipients_of_channel ON public.notice_recipients USING btree (account_id, channel_id) WHERE (channel_id IS NOT NULL);

CREATE INDEX notice_recipients_of_message ON public.notice_recipients USING btree (account_id, message_id);

CREATE INDEX notices_created ON public.notices USING btree (created_at);

CREATE INDEX notices_due ON public.notices USING btree (due_at) WHERE (state = 'waiting'::text);

CREATE INDEX notices_open ON public.notices USING btree (account_id, hook_id) WHERE is_open;

CREATE INDEX notices_unpublished ON public.notices USING btree (account_id, id) WHERE ((state = 'ready'::text) AND (NOT is_published));

CREATE INDEX oauth_records_expire ON public.oauth_records USING btree (expires_at);

CREATE INDEX oauth_records_grant ON public.oauth_records USING btree (grant_digest);

CREATE INDEX passkeys_login ON public.passkeys USING btree (login_id);

CREATE INDEX password_resets_login ON public.password_resets USING btree (login_id);

CREATE INDEX replays_open ON public.replays USING btree (next_at) WHERE (finished_at IS NULL);

CREATE INDEX rollups_losses ON public.rollups USING btree (hour) WHERE ((failed > 0) OR (expired > 0));

CREATE INDEX secret_holders_login ON public.secret_holders USING btree (login_id);

CREATE INDEX sessions_expire ON public.sessions USING btree (expires_at);

CREATE INDEX sessions_login ON public.sessions USING btree (login_id);

CREATE UNIQUE INDEX sso_domains_verified ON public.sso_domains USING btree (domain) WHERE (verified_at IS NOT NULL);

CREATE INDEX sso_identities_login ON public.sso_identities USING btree (login_id);

CREATE INDEX sso_used_states_expire ON public.sso_used_states USING btree (expires_at);

CREATE INDEX suspects_due ON public.suspects USING btree (is_alone, due_at) WHERE (quarantined_at IS NULL);

CREATE INDEX test_requests_received_at ON public.test_requests USING btree (received_at);

CREATE INDEX used_challenges_expire ON public.used_challenges USING btree (expires_at);

CREATE UNIQUE INDEX vault_keys_one_digest_key ON public.vault_keys USING btree (purpose) WHERE (purpose = 'digest'::text);

CREATE INDEX work_due ON public.work USING btree (account_id, hook_id, due_at) WHERE ((lease IS NULL) AND (NOT held));

CREATE INDEX work_held ON public.work USING btree (accepted_at) WHERE held;

CREATE INDEX work_leases ON public.work USING btree (lease_until) WHERE (lease IS NOT NULL);

CREATE INDEX work_of_hook ON public.work USING btree (account_id, hook_id, event_id);

CREATE INDEX work_of_replay ON public.work USING btree (account_id, replay_id) WHERE (replay_id IS NOT NULL);

CREATE TRIGGER logins_own_account AFTER INSERT ON public.logins FOR EACH ROW WHEN ((new.account_id IS NOT NULL)) EXECUTE FUNCTION public.own_account();

ALTER TABLE ONLY public.apps
    ADD CONSTRAINT apps_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.audit
    ADD CONSTRAINT audit_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.consumers
    ADD CONSTRAINT consumers_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.deprecated_uses
    ADD CONSTRAINT deprecated_uses_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.email_verifications
    ADD CONSTRAINT email_verifications_login_id_fkey FOREIGN KEY (login_id) REFERENCES public.logins(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.former_members
    ADD CONSTRAINT former_members_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_login_id_fkey FOREIGN KEY (login_id) REFERENCES public.logins(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.hook_certificates
    ADD CONSTRAINT hook_certificates_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.hook_slow_attempts
    ADD CONSTRAINT hook_slow_attempts_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.hooks
    ADD CONSTRAINT hooks_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES public.logins(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.keys
    ADD CONSTRAINT keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.known_networks
    ADD CONSTRAINT known_networks_login_id_fkey FOREIGN KEY (login_id) REFERENCES public.logins(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.logins
    ADD CONSTRAINT logins_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_login_id_fkey FOREIGN KEY (login_id) REFERENCES public.logins(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.notice_channels
    ADD CONSTRAINT notice_channels_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.notice_channels
    ADD CONSTRAINT notice_channels_created_by_fkey FOREIGN KEY (created_by) REFERENCES public.logins(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.notice_messages
    ADD CONSTRAINT notice_emails_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.notice_messages
    ADD CONSTRAINT notice_emails_login_id_fkey FOREIGN KEY (login_id) REFERENCES public.logins(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.notice_messages
    ADD CONSTRAINT notice_messages_channel FOREIGN KEY (account_id, channel_id) REFERENCES public.notice_channels(account_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.notice_mutes
    ADD CONSTRAINT notice_mutes_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.notice_mutes
    ADD CONSTRAINT notice_mutes_login_id_fkey FOREIGN KEY (login_id) REFERENCES public.logins(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.notice_preferences
    ADD CONSTRAINT notice_preferences_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.notice_preferences
    ADD CONSTRAINT notice_preferences_login_id_fkey FOREIGN KEY (login_id) REFERENCES public.logins(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.notice_reads
    ADD CONSTRAINT notice_reads_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.notice_reads
    ADD CONSTRAINT notice_reads_login_id_fkey FOREIGN KEY (login_id) REFERENCES public.logins(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.notice_recipients
    ADD CONSTRAINT notice_recipients_account_id_notice_id_fkey FOREIGN KEY (account_id, notice_id) REFERENCES public.notices(account_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.notice_recipients
    ADD CONSTRAINT notice_recipients_channel FOREIGN KEY (account_id, channel_id) REFERENCES public.notice_channels(account_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.notice_recipients
    ADD CONSTRAINT notice_recipients_login_id_fkey FOREIGN KEY (login_id) REFERENCES public.logins(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.notices
    ADD CONSTRAINT notices_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.notices
    ADD CONSTRAINT notices_login_id_fkey FOREIGN KEY (login_id) REFERENCES public.logins(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.oauth_records
    ADD CONSTRAINT oauth_records_grant_digest_fkey FOREIGN KEY (grant_digest) REFERENCES public.grants(digest) ON DELETE CASCADE;

ALTER TABLE ONLY public.onboarding
    ADD CONSTRAINT onboarding_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_login_id_fkey FOREIGN KEY (login_id) REFERENCES public.logins(id);

ALTER TABLE ONLY public.password_resets
    ADD CONSTRAINT password_resets_login_id_fkey FOREIGN KEY (login_id) REFERENCES public.logins(id);

ALTER TABLE ONLY public.recovery_codes
    ADD CONSTRAINT recovery_codes_login_id_fkey FOREIGN KEY (login_id) REFERENCES public.logins(id);

ALTER TABLE ONLY public.replays
    ADD CONSTRAINT replays_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.secret_holders
    ADD CONSTRAINT secret_holders_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.secret_holders
    ADD CONSTRAINT secret_holders_login_id_fkey FOREIGN KEY (login_id) REFERENCES public.logins(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_login_id_fkey FOREIGN KEY (login_id) REFERENCES public.logins(id);

ALTER TABLE ONLY public.sso_connections
    ADD CONSTRAINT sso_connections_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.sso_domains
    ADD CONSTRAINT sso_domains_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.sso_identities
    ADD CONSTRAINT sso_identities_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.sso_identities
    ADD CONSTRAINT sso_identities_login_id_fkey FOREIGN KEY (login_id) REFERENCES public.logins(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.stops
    ADD CONSTRAINT stops_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.test_requests
    ADD CONSTRAINT test_requests_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);
