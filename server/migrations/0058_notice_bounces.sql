-- Emails that a mail server accepted and another one refused later.
ALTER TABLE notice_messages DROP CONSTRAINT notice_emails_state_check;
ALTER TABLE notice_messages ADD CONSTRAINT notice_messages_state_check
    CHECK (state IN ('queued', 'sent', 'refused', 'expired', 'dropped', 'bounced'));
