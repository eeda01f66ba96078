-- API keys of another provider have another format. NULL: a key in Hookline's format. Otherwise the form in which the key
-- was imported: the key itself, or its digest. In that case `sealed` contains the digest, and the key cannot be viewed.
ALTER TABLE keys ADD COLUMN imported_as text CHECK (imported_as IN ('key', 'sha256', 'sha512'));
-- Tells whether there are any.
CREATE INDEX keys_imported ON keys (id) WHERE imported_as IS NOT NULL;
