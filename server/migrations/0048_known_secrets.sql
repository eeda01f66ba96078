-- Secrets that logins have created or seen so far. In a file of its own: the scan must not hold the locks of the previous one.
INSERT INTO secret_holders (account_id, login_id, subject, is_creator, seen_at)
SELECT audit.account_id, logins.id, subject, bool_or(action IN ('key.create', 'app.create')), max(at)
FROM audit
JOIN logins ON audit.actor = 'login:' || logins.id
WHERE audit.account_id IS NOT NULL AND action IN (
    'account.signing-key.rotate', 'account.signing-key.view', 'app.create', 'app.rotate-secret', 'consumer.secret.view',
    'hook.secret.rotate', 'hook.secret.view', 'key.create', 'key.view')
GROUP BY audit.account_id, logins.id, subject
ON CONFLICT DO NOTHING;
