-- Reasons and actions in the words of the documentation. Possible only before the first release: no earlier version runs
-- beside the new one.
UPDATE attempts SET reason = 'invalid_response' WHERE reason = 'invalid_answer';
UPDATE deliveries SET reason = 'invalid_response' WHERE reason = 'invalid_answer';
UPDATE deliveries SET reason = 'discarded' WHERE reason = 'dropped_by_owner';
UPDATE audit SET action = 'login.request-reset' WHERE action = 'login.ask-for-link';
UPDATE replays SET selection = jsonb_set(selection, '{search,reason}', '"invalid_response"')
WHERE selection #>> '{search,reason}' = 'invalid_answer';
UPDATE replays SET selection = jsonb_set(selection, '{search,reason}', '"discarded"')
WHERE selection #>> '{search,reason}' = 'dropped_by_owner';
