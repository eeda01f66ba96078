CREATE TABLE public.accounts (
    id integer NOT NULL,
    name text NOT NULL,
    hooks_version bigint DEFAULT 0 NOT NULL,
    suspended_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE public.accounts ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.accounts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
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

CREATE TABLE public.deprecated_uses (
    account_id integer NOT NULL,
    kind text NOT NULL,
    day date NOT NULL,
    uses bigint NOT NULL
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
    CONSTRAINT hook_versions_change_check CHECK ((change = ANY (ARRAY['created'::text, 'enabled'::text, 'deleted'::text])))
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
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE public.hooks ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.hooks_id_seq
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
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE public.keys ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.keys_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE UNLOGGED TABLE public.login_attempts (
    bucket bytea NOT NULL,
    attempts integer NOT NULL,
    started_at timestamp with time zone NOT NULL
);

CREATE TABLE public.logins (
    id integer NOT NULL,
    account_id integer NOT NULL,
    alias text NOT NULL,
    email text NOT NULL,
    password_hash text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
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

CREATE TABLE public.migrations (
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);

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

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.call_counts
    ADD CONSTRAINT call_counts_pkey PRIMARY KEY (account_id);

ALTER TABLE ONLY public.deprecated_uses
    ADD CONSTRAINT deprecated_uses_pkey PRIMARY KEY (account_id, kind, day);

ALTER TABLE ONLY public.hook_versions
    ADD CONSTRAINT hook_versions_pkey PRIMARY KEY (account_id, hook_id, version);

ALTER TABLE ONLY public.hooks
    ADD CONSTRAINT hooks_account_id_fingerprint_key UNIQUE (account_id, fingerprint);

ALTER TABLE ONLY public.hooks
    ADD CONSTRAINT hooks_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY public.keys
    ADD CONSTRAINT keys_digest_key UNIQUE (digest);

ALTER TABLE ONLY public.keys
    ADD CONSTRAINT keys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.login_attempts
    ADD CONSTRAINT login_attempts_pkey PRIMARY KEY (bucket);

ALTER TABLE ONLY public.logins
    ADD CONSTRAINT logins_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.migrations
    ADD CONSTRAINT migrations_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.producers
    ADD CONSTRAINT producers_digest_key UNIQUE (digest);

ALTER TABLE ONLY public.producers
    ADD CONSTRAINT producers_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.vault_keys
    ADD CONSTRAINT vault_keys_pkey PRIMARY KEY (id);

CREATE INDEX audit_account ON public.audit USING btree (account_id, id);

CREATE INDEX keys_account ON public.keys USING btree (account_id, id);

CREATE INDEX login_attempts_started ON public.login_attempts USING btree (started_at);

CREATE INDEX logins_account ON public.logins USING btree (account_id);

CREATE UNIQUE INDEX logins_alias ON public.logins USING btree (lower(alias));

CREATE UNIQUE INDEX logins_email ON public.logins USING btree (lower(email));

CREATE UNIQUE INDEX vault_keys_one_digest_key ON public.vault_keys USING btree (purpose) WHERE (purpose = 'digest'::text);

ALTER TABLE ONLY public.audit
    ADD CONSTRAINT audit_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.deprecated_uses
    ADD CONSTRAINT deprecated_uses_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.hooks
    ADD CONSTRAINT hooks_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.keys
    ADD CONSTRAINT keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.logins
    ADD CONSTRAINT logins_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);
