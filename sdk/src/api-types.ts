/* Generated from docs/openapi.json by `npm run generate`. */
/* oxlint-disable */

export interface paths {
  '/api/hooks': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List webhooks
     * @description All webhooks of the account, oldest first; disabled ones are listed too.
     *
     *     Needs the scope `hooks:read`.
     */
    get: operations['listHooks']
    put?: never
    /**
     * Register a webhook
     * @description Registers a webhook, enabled from the start. The same address, type, method, filter and headers again answer with the id of the existing webhook.
     *
     *     Needs the scope `hooks`.
     */
    post: operations['createHook']
    /**
     * Delete a webhook
     * @description Deletes a webhook, named by `id` or by the `target_url`, `event_type` and `request_method` it was created with.
     *
     *     Needs the scope `hooks`.
     */
    delete: operations['deleteHook']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/hooks/health': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * How all webhooks are doing
     * @description Every webhook of the account, oldest first, with its state in a word, in a sentence and in figures.
     *
     *     Needs the scope `hooks:read`.
     */
    get: operations['readWebhookHealth']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/hooks/preview': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * See what a webhook would get
     * @description Judges the values of a webhook that does not exist yet, or of a change, and shows the requests for a sample event in all three formats, byte for byte; only the signatures are made with a placeholder.
     *
     *     Needs the scope `hooks:read`.
     */
    post: operations['previewWebhook']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/hooks/try-filter': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Try a filter on past events
     * @description Runs a filter over the newest events of the account, for as long as a third of a second, and says how many match, beside the filter that a webhook has now. Numbers are masked.
     *
     *     Needs the scope `events:read`.
     */
    post: operations['tryFilter']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/hooks/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read a webhook
     * @description One webhook, how it is doing, and what its owner was warned of, newest first.
     *
     *     Needs the scope `hooks:read`.
     */
    get: operations['readWebhook']
    put?: never
    /**
     * Change a webhook
     * @description Changes what is given and leaves the rest. Deliveries that wait follow: each attempt uses the address, method and headers of its time.
     *
     *     Needs the scope `hooks`.
     */
    post: operations['editWebhook']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/hooks/{id}/disable': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Disable a webhook
     * @description Nothing is sent to it from then on. What waits for it and what it would have received is held for up to 7 days and 100,000 events.
     *
     *     Needs the scope `hooks`.
     */
    post: operations['disableWebhook']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/hooks/{id}/enable': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Enable a webhook
     * @description Sends to it again, and delivers or drops what was held for it meanwhile.
     *
     *     Needs the scope `hooks`.
     */
    post: operations['enableWebhook']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/hooks/{id}/test': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Send a test to a webhook
     * @description A sample event goes the way of every event, to this webhook alone, whatever its filter, with the header `x-hookline-test: 1`. It is attempted once, and when it fails that does not count against the webhook.
     *
     *     Needs the scope `hooks`.
     */
    post: operations['testWebhook']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/hooks/{id}/secret': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * See what a receiver verifies with
     * @description The webhook's secret for `webhook-signature` and the account's key for `x-signature`. Every view is in the audit log.
     *
     *     Needs the scope `hooks`.
     */
    get: operations['readWebhookSecret']
    put?: never
    /**
     * Give a webhook a new secret
     * @description From then on deliveries are signed with the new secret; for 24 hours they carry a signature by the old one as well, so that receivers can be changed without a gap.
     *
     *     Needs the scope `hooks`.
     */
    post: operations['rotateWebhookSecret']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/hooks/{id}/stats': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * What a webhook got over time
     * @description By the hour for 24 hours and 7 days, by the day of UTC for 30 days, empty ones included; and why attempts failed, from the newest thousand failures.
     *
     *     Needs the scope `hooks:read`.
     */
    get: operations['readWebhookStats']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/hooks/{id}/attempts': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Attempts at a webhook
     * @description What was sent and answered, for the newest events first, 25 events a page. Numbers, texts and header values are masked.
     *
     *     Needs the scope `events:read`.
     */
    get: operations['listWebhookAttempts']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/events': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Search events
     * @description Events of the account, newest first. A search that must look at a lot answers with what it has found so far, which may be nothing, and with a cursor by which it goes on: there is no more only when `next` is null.
     *
     *     Needs the scope `events:read`.
     */
    get: operations['searchEvents']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/events/stream': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Events as they happen
     * @description A stream of server-sent events. `event: event` brings an event as it was accepted, `event: delivery` how a delivery ended, each once and in the order in which they were committed; numbers are masked. The id of each message is a cursor: with `Last-Event-ID`, which browsers send by themselves, or as `from`, the stream goes on right behind it. A comment comes every 15 seconds. The stream ends when the credential ends; one that is not read for 30 seconds is cut off.
     *
     *     Needs the scope `events:read`.
     */
    get: operations['streamEvents']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/events/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * What became of an event
     * @description Everything about one event: each webhook with why it got the event or did not, each attempt with what was sent and answered, and what happens next. Numbers, texts and header values are masked; with `reveal` they are not, and that is written to the audit log.
     *
     *     Needs the scope `events:read`.
     */
    get: operations['readEvent']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/events/{id}/curl': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * An event as a curl line
     * @description What would be sent for this event to a webhook now, to try a receiver by hand. It holds the event's data as it is, so it is written to the audit log. With the scope `hooks` it carries valid signatures, with `hooks:read` the webhook's headers; otherwise names stand in their place.
     *
     *     Needs the scope `events:read`.
     */
    post: operations['readEventAsCurl']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/overview': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * How the account is doing
     * @description What needs attention, and figures of the last 24 hours by the hour or the last 30 days by the day (UTC), the present one included.
     *
     *     Needs the scope `events:read`.
     */
    get: operations['readOverview']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/replays/count': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * How many would be sent again
     * @description Counts what a replay would send, for about a second; then the count is a lower bound.
     *
     *     Needs the scope `deliveries:replay`.
     */
    post: operations['countReplay']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/replays': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List replays
     * @description The newest 100, newest first.
     *
     *     Needs the scope `deliveries:replay`.
     */
    get: operations['listReplays']
    put?: never
    /**
     * Send deliveries again
     * @description A further round of deliveries that have ended: the same event id and the same body, with the header `x-hookline-replay`. It goes on by itself, at the given pace, and survives every restart. Of a search, what is accepted after this call is left out.
     *
     *     Needs the scope `deliveries:replay`.
     */
    post: operations['startReplay']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/replays/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * How far a replay is
     * @description The figures are at most a few seconds old while it runs, and exact when it is over.
     *
     *     Needs the scope `deliveries:replay`.
     */
    get: operations['readReplay']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/replays/{id}/pause': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Pause a replay
     * @description No attempt of it begins until it is resumed, retries included; what is under way ends.
     *
     *     Needs the scope `deliveries:replay`.
     */
    post: operations['pauseReplay']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/replays/{id}/resume': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Resume a replay
     * @description Goes on where it was paused.
     *
     *     Needs the scope `deliveries:replay`.
     */
    post: operations['resumeReplay']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/replays/{id}/cancel': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Cancel a replay
     * @description Nothing more of it is sent; what waits ends as cancelled. Of what a webhook held while it was disabled, the rest is held again.
     *
     *     Needs the scope `deliveries:replay`.
     */
    post: operations['cancelReplay']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/session': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Who is signed in
     * @description The session, its login and account, and the token that changing calls must carry.
     *
     *     Needs a person who is signed in; API keys and tokens are refused.
     */
    get: operations['readSession']
    put?: never
    /**
     * Sign in
     * @description Starts a session in the browser and sets its cookie. A login with a second factor needs `code` too, which is best asked for once the answer is 911.
     *
     *     Needs no credential.
     */
    post: operations['signIn']
    /**
     * Sign out
     * @description Ends this session on every process at once.
     *
     *     Needs a person who is signed in; API keys and tokens are refused.
     */
    delete: operations['signOut']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/area': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * What the developer area offers
     * @description What its pages need to know before anybody is signed in.
     *
     *     Needs no credential.
     */
    get: operations['readArea']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/registration': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Open an account
     * @description Makes an account with a first login and signs it in, where the operator allows it. The email counts once the link that is sent to it was opened; whether somebody else has it is not told.
     *
     *     Needs no credential.
     */
    post: operations['register']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/password-resets': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Ask for a link to a new password
     * @description Sends a mail with a link that works once and for 30 minutes. Links that were sent before stay valid, and none is sent while one is fresh. The answer is the same whether or not the login exists.
     *
     *     Needs no credential.
     */
    post: operations['askForPasswordLink']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/password-resets/confirm': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Set a new password with a link
     * @description Uses the link up, ends all sessions of the login and, unless `keep_access` is true, revokes the API keys, apps and authorizations of its account. If others sign in for the account too, only the authorizations of this login end. A second factor stays on.
     *
     *     Needs no credential.
     */
    post: operations['resetPassword']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/sessions': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Where you are signed in
     * @description The sessions of your login, the one used last first.
     *
     *     Needs a person who is signed in; API keys and tokens are refused.
     */
    get: operations['listSessions']
    put?: never
    post?: never
    /**
     * Sign out everywhere else
     * @description Ends all sessions of your login but this one, on every process at once.
     *
     *     Needs a person who is signed in; API keys and tokens are refused.
     */
    delete: operations['endOtherSessions']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/sessions/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Sign out somewhere else
     * @description Ends a session of your login on every process at once.
     *
     *     Needs a person who is signed in; API keys and tokens are refused.
     */
    delete: operations['endSession']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/password': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Change the password
     * @description Ends all sessions of your login and starts a new one for this browser: it gets a new cookie, and calls need the new `csrf_token`.
     *
     *     Needs a person who is signed in; API keys and tokens are refused.
     */
    post: operations['changePassword']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/second-factor': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Set up a second factor
     * @description Makes a secret for an authenticator app. Nothing changes until a first code is sent to `/api/second-factor/confirm`.
     *
     *     Needs a person who is signed in; API keys and tokens are refused.
     */
    post: operations['beginSecondFactor']
    /**
     * Switch the second factor off
     * @description For whoever gives the password. Recovery codes are void.
     *
     *     Needs a person who is signed in; API keys and tokens are refused.
     */
    delete: operations['removeSecondFactor']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/second-factor/confirm': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Switch the second factor on
     * @description From now on a code is needed besides the password, and the password alone is no longer a credential of the API.
     *
     *     Needs a person who is signed in; API keys and tokens are refused.
     */
    post: operations['confirmSecondFactor']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/account': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Rename the account
     * @description Changes the name that people see.
     *
     *     Needs a person who is signed in; API keys and tokens are refused.
     */
    post: operations['renameAccount']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/login': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Change the email
     * @description Sends a link to the new email, for whoever gives the password. The old email stays until the link is opened by somebody who is signed in with this login.
     *
     *     Needs a person who is signed in; API keys and tokens are refused.
     */
    post: operations['changeEmail']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/login/verification': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Send the link to confirm an email again
     * @description To the email of your login that is not confirmed yet. Links that were sent before stay valid.
     *
     *     Needs a person who is signed in; API keys and tokens are refused.
     */
    post: operations['resendEmailVerification']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/login/verification/confirm': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Confirm an email with a link
     * @description Makes the email to which the link was sent the email of your login. The link counts only for the login it was sent for. The old email is told.
     *
     *     Needs a person who is signed in; API keys and tokens are refused.
     */
    post: operations['confirmEmail']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/audit': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Who changed what
     * @description The audit log of your account, newest first. `next` is the `before` of the next page.
     *
     *     Needs a person who is signed in; API keys and tokens are refused.
     */
    get: operations['listAudit']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/audit/export': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Export the audit log
     * @description The whole audit log of your account as a file, oldest entry first: one JSON object per line, or CSV. Entries are deleted after the time that the operator has set.
     *
     *     Needs a person who is signed in; API keys and tokens are refused.
     */
    get: operations['exportAudit']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/keys': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List API keys
     * @description The API keys of your account, newest first, revoked ones last.
     *
     *     Needs a person who is signed in; API keys and tokens are refused.
     */
    get: operations['listKeys']
    put?: never
    /**
     * Make an API key
     * @description Makes an API key of your account. `secret` is the key itself; it can be viewed again.
     *
     *     Needs a person who is signed in; API keys and tokens are refused.
     */
    post: operations['createKey']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/keys/{id}/view': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * View an API key again
     * @description The key itself, for whoever gives the password. It is written to the audit log.
     *
     *     Needs a person who is signed in; API keys and tokens are refused.
     */
    post: operations['viewKey']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/keys/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Revoke an API key
     * @description Ends an API key of your account for good, on every process at once.
     *
     *     Needs a person who is signed in; API keys and tokens are refused.
     */
    delete: operations['revokeKey']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/deprecated-uses': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Deprecated credentials in use
     * @description The deprecated ways in which calls for your account were authenticated. Send API keys as `X-Api-Key` instead.
     *
     *     Needs a person who is signed in; API keys and tokens are refused.
     */
    get: operations['listDeprecatedUses']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/apps': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List your apps
     * @description The apps that your account publishes, newest first.
     *
     *     Needs a person who is signed in; API keys and tokens are refused.
     */
    get: operations['listApps']
    put?: never
    /**
     * Register an app
     * @description The answer has the secret of an app that is not public. It is shown this once.
     *
     *     Needs a person who is signed in; API keys and tokens are refused.
     */
    post: operations['createApp']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/apps/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Change an app
     * @description Its name, its addresses or both. What is left out stays.
     *
     *     Needs a person who is signed in; API keys and tokens are refused.
     */
    post: operations['changeApp']
    /**
     * Delete an app
     * @description All access that anybody gave it ends at once.
     *
     *     Needs a person who is signed in; API keys and tokens are refused.
     */
    delete: operations['deleteApp']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/apps/{id}/secret': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Replace the secret of an app
     * @description The new one is shown this once; the old one ends at once. Tokens stay.
     *
     *     Needs a person who is signed in; API keys and tokens are refused.
     */
    post: operations['rotateAppSecret']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/authorizations': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List apps with access
     * @description The apps that your account lets in, those agreed to last first.
     *
     *     Needs a person who is signed in; API keys and tokens are refused.
     */
    get: operations['listAuthorizations']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/authorizations/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Take access back
     * @description Every token that the app has for your account ends at once.
     *
     *     Needs a person who is signed in; API keys and tokens are refused.
     */
    delete: operations['revokeAuthorization']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/interactions/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * What an app asks for
     * @description For the page that asks a person, in the browser that the app sent here.
     *
     *     Needs no credential.
     */
    get: operations['readInteraction']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/interactions/{id}/allow': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Let an app in
     * @description Gives the app exactly the scopes that were shown, for your account.
     *
     *     Needs a person who is signed in; API keys and tokens are refused.
     */
    post: operations['allowInteraction']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/interactions/{id}/deny': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Do not let an app in
     * @description The app is told so. Nobody needs to sign in to say no.
     *
     *     Needs no credential.
     */
    post: operations['denyInteraction']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
}
export type webhooks = Record<string, never>
export interface components {
  schemas: {
    Failure: {
      /** @constant */
      success: false
      /** @enum {integer} */
      code:
        | 900
        | 902
        | 903
        | 904
        | 905
        | 906
        | 907
        | 908
        | 909
        | 910
        | 911
        | 912
        | 1000
        | 1001
        | 1002
        | 1003
        | 1010
        | 1011
        | 1012
        | 1013
        | 1020
        | 1021
        | 1022
        | 1100
        | 1101
        | 1102
        | 1103
        | 1104
        | 1105
        | 1110
        | 1111
        | 1120
        | 1121
        | 1130
        | 1131
        | 1200
        | 1201
        | 1202
        | 1203
        | 1204
        | 1205
        | 1206
        | 1207
        | 1208
        | 1300
        | 1301
      /** @description What is wrong and what to do, in a sentence. */
      error_message: string
    }
    Webhook: {
      /**
       * @description Identifier of the webhook, here as text.
       * @example 2045
       */
      id: string
      /**
       * @description The address, exactly as it was registered.
       * @example https://example.com/webhooks
       */
      target_url: string
      /** @description Separated by line feeds; empty when there are none. */
      headers: string
      /** @enum {string} */
      event_type: 'all' | 'rcs' | 'sms_mo' | 'dlr' | 'voice_call' | 'voice_status' | 'voice_dtmf' | 'tracking'
      event_filter: string | null
      /** @enum {string} */
      request_method: 'POST' | 'GET' | 'JSON'
      enabled: boolean
      /**
       * @description YYYY-MM-DD HH:MM:SS
       * @example 2026-11-15 09:30:00
       */
      created: string
    }
    ManagedWebhook: {
      id: number
      /** @description The address, exactly as it was registered. */
      target_url: string
      /** @enum {string} */
      event_type: 'all' | 'rcs' | 'sms_mo' | 'dlr' | 'voice_call' | 'voice_status' | 'voice_dtmf' | 'tracking'
      event_filter: string | null
      /** @enum {string} */
      request_method: 'POST' | 'GET' | 'JSON'
      /** @description Separated by line feeds; empty when there are none. */
      headers: string
      enabled: boolean
      /** @description `owner`, `operator`, `failing` or `gone`; null while it is enabled. */
      disabled_reason: string | null
      /** @description Deliveries a second at most; null: no limit. */
      most_per_second: number | null
      /** Format: date-time */
      created_at: string
      /** Format: date-time */
      changed_at: string
    }
    WebhookHealth: {
      hook_id: number
      /** @enum {string} */
      state:
        | 'healthy'
        | 'losing'
        | 'failing'
        | 'waiting'
        | 'paused'
        | 'disabled'
        | 'idle'
        | 'stopped'
        | 'unloadable'
      /** @description The state in words. */
      sentence: string
      delivered_24h: number
      /** @description Deliveries that failed for good or expired. */
      failed_24h: number
      attempts_24h: number
      failed_attempts_24h: number
      /** @description Of the deliveries that ended in the last 24 hours; null: none did. */
      success_rate: number | null
      waiting: number
      /** @description What it would have received while it is disabled. */
      held: number
      /** @description When the event that waits longest was accepted. */
      oldest_waiting_at: string | null
      last_attempt_at: string | null
      last_delivered_at: string | null
      failing_since: string | null
      /** @enum {string} */
      breaker: 'closed' | 'open' | 'probing'
      next_probe_at: string | null
      /** @description What an operator has stopped: deliveries wait until it ends. */
      stop: {
        /** @enum {string} */
        scope: 'all' | 'account' | 'hook' | 'host'
        /** @description As the operator has put it. */
        reason: string
        /** Format: date-time */
        since: string
      } | null
      /** @description Why the webhook cannot be loaded: `filter`, `headers`, `target_url` or `settings`. Deliveries wait until it is changed. */
      problem: string | null
      receiver_p50_ms: number | null
      receiver_p95_ms: number | null
    }
    ShownRequest: {
      /** @enum {string} */
      method: 'GET' | 'POST'
      url: string
      headers: {
        name: string
        value: string
      }[]
      body: string
    }
    FilteredEvent: {
      /** Format: uuid */
      event_id: string
      /** Format: date-time */
      accepted_at: string
      type: string
      from: string | null
      to: string | null
      /** @description Why it does not match; null: it does. */
      why: string | null
    }
    Attempt: {
      /** Format: uuid */
      event_id: string
      hook_id: number
      round: number
      attempt: number
      /** Format: date-time */
      started_at: string
      reason: string
      sentence: string
      advice: string | null
      status: number | null
      phases: {
        dns_ms: number | null
        connect_ms: number | null
        tls_ms: number | null
        first_byte_ms: number | null
        body_ms: number | null
        total_ms: number
      }
      /** @description As it was sent; signatures and nonce are fresh each time and not kept. */
      request: {
        method: string
        url: string
        headers: {
          name: string
          value: string
        }[]
        body: string
        /** @description The response shows 4 MiB of requests; this one is shown without its fields and body. */
        truncated: boolean
      } | null
      answer: {
        headers: string
        /** @description The first 4 KiB, as they came; null: not a text. */
        body: string | null
        is_text: boolean
        truncated: boolean
      } | null
      worker: string
    }
    Event: {
      /** Format: uuid */
      id: string
      type: string
      /** Format: date-time */
      accepted_at: string
      occurred_at: string | null
      message_id: string | null
      /** @description Masked: the first four and the last two characters. */
      from: string | null
      /** @description Masked: the first four and the last two characters. */
      to: string | null
      foreign_id: string | null
      is_test: boolean
      deliveries: {
        hook_id: number
        /** @enum {string} */
        state: 'delivered' | 'failed' | 'expired' | 'cancelled' | 'waiting' | 'held'
        reason: string | null
        attempts: number
        /** @description 1, and one more each time that it was sent again. */
        round: number
      }[]
    }
    ExplainedWebhook: {
      hook_id: number
      target_url: string
      event_type: string
      event_filter: string | null
      request_method: string
      /** @enum {string} */
      verdict: 'matched' | 'held' | 'not_matched' | 'created_later' | 'deleted_before'
      why: {
        kind: string
        /** @description What the filter looked at. */
        saw?: string
        /** @description The part of the expression that decided. */
        clause?: string
        sentence: string
      }
      /** @description What happened to the webhook since; its values here are those of then. */
      later_changes: {
        change: string
        /** Format: date-time */
        at: string
      }[]
      deliveries: {
        round: number
        /** @enum {string} */
        state: 'delivered' | 'failed' | 'expired' | 'cancelled' | 'waiting' | 'held'
        reason: string | null
        sentence: string
        attempts: components['schemas']['Attempt'][]
        next_attempt_at: string | null
        next_why: string | null
        finished_at: string | null
      }[]
    }
    ReplaySelection:
      | {
          deliveries: {
            /** Format: uuid */
            event_id: string
            hook_id: number
          }[]
        }
      | {
          search: {
            /** @description One box for all: the id of an event, a message id, a number, a foreign id or the id of a webhook, whichever it is. */
            q?: string
            message_id?: string
            /** @description From or to which the message went; `+49 170 1`, `0049 170 1` and `491701` are the same. */
            number?: string
            foreign_id?: string
            /** @enum {string} */
            type?: 'rcs' | 'sms_mo' | 'dlr' | 'voice_call' | 'voice_status' | 'voice_dtmf' | 'tracking'
            hook_id?: number
            /**
             * @description Of a delivery. If it was sent again the last round counts, here and for `status` and `reason`.
             * @enum {string}
             */
            state?: 'delivered' | 'failed' | 'expired' | 'cancelled' | 'waiting' | 'held'
            /** @description An HTTP status that an attempt of a delivery was answered with. */
            status?: number
            /** @description Of an attempt or of the end of a delivery. */
            reason?: string
            /**
             * Format: date-time
             * @description Accepted at this time or later.
             */
            from?: string
            /**
             * Format: date-time
             * @description Accepted before this time.
             */
            to?: string
          }
        }
      | {
          /** @description One box for all: the id of an event, a message id, a number, a foreign id or the id of a webhook, whichever it is. */
          q?: string
          hook_id?: number
          /**
           * @description Of a delivery. If it was sent again the last round counts, here and for `status` and `reason`.
           * @enum {string}
           */
          state?: 'delivered' | 'failed' | 'expired' | 'cancelled' | 'waiting' | 'held'
          /** @description An HTTP status that an attempt of a delivery was answered with. */
          status?: number
          /** @description Of an attempt or of the end of a delivery. */
          reason?: string
          events: string[]
        }
    Replay: {
      id: number
      /** @enum {string} */
      state: 'counting' | 'running' | 'paused' | 'done' | 'cancelled'
      /** @enum {string} */
      kind: 'deliveries' | 'search' | 'held'
      /** @description Of the event, if only one delivery was selected. */
      event_id: string | null
      /** @description Of the webhook, if only deliveries to one were selected or asked for. */
      hook_id: number | null
      /** @description What is sent again, in words; numbers are masked. */
      selected: string
      /** Format: date-time */
      created_at: string
      /** @description Such as `key:12` or `login:3`. */
      created_by: string
      most_per_second: number
      /** @description Deliveries that were selected; grows while the state is `counting`. */
      total: number
      started: number
      /** @description Not sent again: still waiting, or its webhook is deleted or disabled. */
      skipped: number
      delivered: number
      /** @description Ended in another way than delivered. */
      failed: number
      finished_at: string | null
      sentence: string
    }
  }
  responses: never
  parameters: never
  requestBodies: never
  headers: never
  pathItems: never
}
export type $defs = Record<string, never>
export interface operations {
  listHooks: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            hooks: components['schemas']['Webhook'][]
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  createHook: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/x-www-form-urlencoded': {
          /**
           * @description Destination address of the webhook.
           * @example https://example.com/webhooks
           */
          target_url: string
          /**
           * @description Event type to receive.
           * @enum {string}
           */
          event_type:
            'all' | 'rcs' | 'sms_mo' | 'dlr' | 'voice_call' | 'voice_status' | 'voice_dtmf' | 'tracking'
          /** @description The webhook is sent only if the filter applies: inbound numbers separated by commas (for RCS the agent), or an expression after `cel:`. */
          event_filter?: string
          /**
           * @description How the webhook is delivered: `POST` (form), `GET` (data as query parameters) or `JSON` (HTTP POST with a JSON payload). Any case is understood.
           * @default POST
           * @enum {string}
           */
          request_method?: 'POST' | 'GET' | 'JSON'
          /** @description HTTP headers to send with the webhook, for example for authentication. Several are separated by a line feed. */
          headers?: string
        }
        'application/json': {
          /**
           * @description Destination address of the webhook.
           * @example https://example.com/webhooks
           */
          target_url: string
          /**
           * @description Event type to receive.
           * @enum {string}
           */
          event_type:
            'all' | 'rcs' | 'sms_mo' | 'dlr' | 'voice_call' | 'voice_status' | 'voice_dtmf' | 'tracking'
          /** @description The webhook is sent only if the filter applies: inbound numbers separated by commas (for RCS the agent), or an expression after `cel:`. */
          event_filter?: string
          /**
           * @description How the webhook is delivered: `POST` (form), `GET` (data as query parameters) or `JSON` (HTTP POST with a JSON payload). Any case is understood.
           * @default POST
           * @enum {string}
           */
          request_method?: 'POST' | 'GET' | 'JSON'
          /** @description HTTP headers to send with the webhook, for example for authentication. Several are separated by a line feed. */
          headers?: string
        }
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            /**
             * @description Identifier of the webhook, here as a number.
             * @example 2045
             */
            id: number
            error_message: null
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       *
       *     **1020**: `target_url` is not an address webhooks can be sent to.
       *
       *     **1021**: `headers` cannot be sent with a webhook.
       *
       *     **1022**: `event_filter` is neither a list of values nor a valid `cel:` expression, or it is too expensive on any event.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1201**: The account has as many webhooks as it may have. Delete one first. */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1208**: The account made too many changes of webhooks, or too many actions that the audit log records, in this minute or day. Retry after `Retry-After`.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  deleteHook: {
    parameters: {
      query?: {
        /** @description Id of the webhook. */
        id?: number
        /** @description Destination address of the webhook. */
        target_url?: string
        /** @description Event type to receive. */
        event_type?:
          'all' | 'rcs' | 'sms_mo' | 'dlr' | 'voice_call' | 'voice_status' | 'voice_dtmf' | 'tracking'
        /** @description How the webhook is delivered: `POST` (form), `GET` (data as query parameters) or `JSON` (HTTP POST with a JSON payload). Any case is understood. */
        request_method?: 'POST' | 'GET' | 'JSON'
        /** @description The webhook is sent only if the filter applies: inbound numbers separated by commas (for RCS the agent), or an expression after `cel:`. */
        event_filter?: string
        /** @description HTTP headers to send with the webhook, for example for authentication. Several are separated by a line feed. */
        headers?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            /**
             * @description Identifier of the webhook, here as a number.
             * @example 2045
             */
            id: number
            error_message: null
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1100**: The account has no such webhook. */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1101**: The creation parameters fit several webhooks. Delete by one of the ids named in the message. */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  readWebhookHealth: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            hooks: {
              hook: components['schemas']['ManagedWebhook']
              health: components['schemas']['WebhookHealth']
            }[]
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  previewWebhook: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /**
           * @description Destination address of the webhook.
           * @example https://example.com/webhooks
           */
          target_url: string
          /**
           * @description Event type to receive.
           * @enum {string}
           */
          event_type:
            'all' | 'rcs' | 'sms_mo' | 'dlr' | 'voice_call' | 'voice_status' | 'voice_dtmf' | 'tracking'
          /**
           * @description How the webhook is delivered: `POST` (form), `GET` (data as query parameters) or `JSON` (HTTP POST with a JSON payload). Any case is understood.
           * @default POST
           * @enum {string}
           */
          request_method?: 'POST' | 'GET' | 'JSON'
          event_filter?: string | null
          headers?: string | null
          /** @description The webhook that would be changed. */
          hook_id?: number
        }
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            /** @description What keeps it from being saved. */
            problems: {
              field: string
              message: string
            }[]
            /** @description What can be saved but is probably not meant. */
            warnings: {
              field: string
              message: string
            }[]
            /** @description Null while address or headers have a problem. */
            requests: {
              POST: components['schemas']['ShownRequest'] | null
              GET: components['schemas']['ShownRequest'] | null
              JSON: components['schemas']['ShownRequest'] | null
            } | null
            /** @description The call that registers it; null while it has a problem. */
            curl: string | null
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  tryFilter: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /**
           * @description Event type to receive.
           * @enum {string}
           */
          event_type:
            'all' | 'rcs' | 'sms_mo' | 'dlr' | 'voice_call' | 'voice_status' | 'voice_dtmf' | 'tracking'
          /** @description Null or empty: no filter. */
          event_filter?: string | null
          /** @description The webhook whose filter to compare with. */
          hook_id?: number
          /**
           * @description How many events to look at.
           * @default 10000
           */
          limit?: number
        }
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            examined: number
            matched: number
            /** @description By the filter that the webhook has now. */
            current_matched: number | null
            /** @description Up to five of each; gained and lost against the filter that the webhook has now. */
            samples: {
              matched: components['schemas']['FilteredEvent'][]
              not_matched: components['schemas']['FilteredEvent'][]
              gained: components['schemas']['FilteredEvent'][]
              lost: components['schemas']['FilteredEvent'][]
            }
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       *
       *     **1022**: `event_filter` is neither a list of values nor a valid `cel:` expression, or it is too expensive on any event.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1102**: The account has nothing with this id. */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  readWebhook: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the webhook. */
        id: number
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            hook: components['schemas']['ManagedWebhook']
            health: components['schemas']['WebhookHealth']
            warnings: {
              kind: string
              /** Format: date-time */
              at: string
            }[]
            secret_rotated_at: string | null
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1102**: The account has nothing with this id. */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  editWebhook: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the webhook. */
        id: number
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /**
           * @description Destination address of the webhook.
           * @example https://example.com/webhooks
           */
          target_url?: string
          /**
           * @description Event type to receive.
           * @enum {string}
           */
          event_type?:
            'all' | 'rcs' | 'sms_mo' | 'dlr' | 'voice_call' | 'voice_status' | 'voice_dtmf' | 'tracking'
          /** @description Null or empty: no filter. */
          event_filter?: string | null
          request_method?: string
          /** @description Null or empty: no headers. */
          headers?: string | null
          /** @description Deliveries a second at most, over all workers; null: no limit. */
          most_per_second?: number | null
        }
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            hook: components['schemas']['ManagedWebhook']
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       *
       *     **1020**: `target_url` is not an address webhooks can be sent to.
       *
       *     **1021**: `headers` cannot be sent with a webhook.
       *
       *     **1022**: `event_filter` is neither a list of values nor a valid `cel:` expression, or it is too expensive on any event.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1102**: The account has nothing with this id. */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1103**: Another webhook of the account has the same address, type, method, filter and headers. */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1208**: The account made too many changes of webhooks, or too many actions that the audit log records, in this minute or day. Retry after `Retry-After`.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  disableWebhook: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the webhook. */
        id: number
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            hook: components['schemas']['ManagedWebhook']
            /** @description Deliveries that were waiting and are held now. */
            waiting: number
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1102**: The account has nothing with this id. */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  enableWebhook: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the webhook. */
        id: number
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /**
           * @description What to do with the events that were held for it.
           * @default deliver
           * @enum {string}
           */
          held?: 'deliver' | 'drop'
        }
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            hook: components['schemas']['ManagedWebhook']
            /** @description Events that were held for it. */
            held: number
            /** @description The replay that delivers them; null: there is nothing to deliver. */
            replay_id: number | null
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1102**: The account has nothing with this id. */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1208**: The account made too many changes of webhooks, or too many actions that the audit log records, in this minute or day. Retry after `Retry-After`.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  testWebhook: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the webhook. */
        id: number
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /**
           * @description Of which type; only a webhook of type `all` has the choice. Default: `sms_mo`.
           * @enum {string}
           */
          event_type?: 'rcs' | 'sms_mo' | 'dlr' | 'voice_call' | 'voice_status' | 'voice_dtmf' | 'tracking'
        }
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            /**
             * Format: uuid
             * @description Under this id it can be seen what became of it.
             */
            event_id: string
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1102**: The account has nothing with this id. */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1104**: The webhook is disabled, so nothing is sent to it. Enable it first. */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  readWebhookSecret: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the webhook. */
        id: number
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            /** @description Begins with `whsec_`. */
            secret: string
            signature_key: string
            rotated_at: string | null
            /** @description Until then deliveries carry a signature by the secret before this one too. */
            previous_until: string | null
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1102**: The account has nothing with this id. */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  rotateWebhookSecret: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the webhook. */
        id: number
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            secret: string
            previous_until: string | null
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1102**: The account has nothing with this id. */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1208**: The account made too many changes of webhooks, or too many actions that the audit log records, in this minute or day. Retry after `Retry-After`.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  readWebhookStats: {
    parameters: {
      query?: {
        range?: '24h' | '7d' | '30d'
      }
      header?: never
      path: {
        /** @description Id of the webhook. */
        id: number
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            buckets: {
              /** Format: date-time */
              start: string
              delivered: number
              failed: number
              expired: number
              cancelled: number
              attempts: number
              /** @description Attempts that failed. */
              failures: number
            }[]
            totals: {
              delivered: number
              failed: number
              expired: number
              cancelled: number
              attempts: number
              /** @description Attempts that failed. */
              failures: number
            }
            errors: {
              reason: string
              status: number | null
              count: number
              /** Format: date-time */
              last_at: string
              sentence: string
              advice: string | null
            }[]
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1102**: The account has nothing with this id. */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  listWebhookAttempts: {
    parameters: {
      query?: {
        cursor?: string
      }
      header?: never
      path: {
        /** @description Id of the webhook. */
        id: number
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            attempts: components['schemas']['Attempt'][]
            next: string | null
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1102**: The account has nothing with this id. */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  searchEvents: {
    parameters: {
      query?: {
        /** @description One box for all: the id of an event, a message id, a number, a foreign id or the id of a webhook, whichever it is. */
        q?: string
        message_id?: string
        /** @description From or to which the message went; `+49 170 1`, `0049 170 1` and `491701` are the same. */
        number?: string
        foreign_id?: string
        type?: 'rcs' | 'sms_mo' | 'dlr' | 'voice_call' | 'voice_status' | 'voice_dtmf' | 'tracking'
        hook_id?: number
        /** @description Of a delivery. If it was sent again the last round counts, here and for `status` and `reason`. */
        state?: 'delivered' | 'failed' | 'expired' | 'cancelled' | 'waiting' | 'held'
        /** @description An HTTP status that an attempt of a delivery was answered with. */
        status?: number
        /** @description Of an attempt or of the end of a delivery. */
        reason?: string
        /** @description Accepted at this time or later. */
        from?: string
        /** @description Accepted before this time. */
        to?: string
        cursor?: string
        limit?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            events: components['schemas']['Event'][]
            next: string | null
            took_ms: number
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  streamEvents: {
    parameters: {
      query?: {
        /** @description `now`, a time such as 2026-11-15T09:30:00Z, or the id of a message to go on behind. */
        from?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'text/event-stream': {
            event: components['schemas']['Event']
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1205**: The account has as many live tails open as it may have. Close one first.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  readEvent: {
    parameters: {
      query?: {
        reveal?: boolean | ('true' | 'false')
      }
      header?: never
      path: {
        /** @description Id of the event. */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            event: {
              /** Format: uuid */
              id: string
              type: string
              /** Format: date-time */
              accepted_at: string
              occurred_at: string | null
              message_id: string | null
              /** @description Masked: the first four and the last two characters. */
              from: string | null
              /** @description Masked: the first four and the last two characters. */
              to: string | null
              foreign_id: string | null
              is_test: boolean
              deliveries: {
                hook_id: number
                /** @enum {string} */
                state: 'delivered' | 'failed' | 'expired' | 'cancelled' | 'waiting' | 'held'
                reason: string | null
                attempts: number
                /** @description 1, and one more each time that it was sent again. */
                round: number
              }[]
              data: {
                [key: string]: unknown
              }
              producer: string | null
            }
            routed: {
              /** Format: date-time */
              at: string
              hooks_version: number
            } | null
            hooks: components['schemas']['ExplainedWebhook'][]
            timeline: {
              /** Format: date-time */
              at: string
              sentence: string
            }[]
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1102**: The account has nothing with this id. */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  readEventAsCurl: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the event. */
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          hook_id: number
        }
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            curl: string
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1102**: The account has nothing with this id. */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  readOverview: {
    parameters: {
      query?: {
        range?: '24h' | '30d'
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            attention: {
              /** @description `failing`, `paused`, `losing`, `waiting`, `disabled`, `stopped` or `unloadable`. */
              kind: string
              sentence: string
              /** @description The newest failure in words; null where nothing failed lately. */
              why: string | null
              hook_id: number | null
              since: string | null
            }[]
            totals: {
              events: number
              delivered: number
              failed: number
              expired: number
              cancelled: number
              /** @description Deliveries that wait now. */
              waiting: number
              /** @description What disabled webhooks hold now. */
              held: number
              oldest_waiting_at: string | null
              /** @description From 0 to 1: of the deliveries that ended, those that were delivered. */
              success_after_retries: number | null
              /** @description Of the newest 2,000 attempts of the last 24 hours that were answered. */
              receiver_p95_ms: number | null
            }
            buckets: {
              /** Format: date-time */
              start: string
              events: number
              delivered: number
              failed: number
            }[]
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  countReplay: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          selection: components['schemas']['ReplaySelection']
        }
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            count: number
            /** @description False: there are at least so many. */
            is_exact: boolean
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  listReplays: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            replays: components['schemas']['Replay'][]
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  startReplay: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          selection: components['schemas']['ReplaySelection']
          /**
           * @description Deliveries a second that are started at most.
           * @default 50
           */
          most_per_second?: number
        }
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            replay: components['schemas']['Replay']
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1206**: The account has as many replays under way as it may have. Wait for one or cancel it. */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  readReplay: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the replay. */
        id: number
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            replay: components['schemas']['Replay']
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1102**: The account has nothing with this id. */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  pauseReplay: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the replay. */
        id: number
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            replay: components['schemas']['Replay']
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1102**: The account has nothing with this id. */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1105**: The replay is done or was cancelled and cannot be changed any more. */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  resumeReplay: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the replay. */
        id: number
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            replay: components['schemas']['Replay']
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1102**: The account has nothing with this id. */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1105**: The replay is done or was cancelled and cannot be changed any more. */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  cancelReplay: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the replay. */
        id: number
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            replay: components['schemas']['Replay']
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1102**: The account has nothing with this id. */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1105**: The replay is done or was cancelled and cannot be changed any more. */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  readSession: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            session: {
              id: number
              /** Format: date-time */
              created_at: string
              /** Format: date-time */
              expires_at: string
            }
            login: {
              id: number
              alias: string
              /** @description Null until one is confirmed by the link that was sent to it. */
              email: string | null
              /** @description A link was sent to it. It counts for nothing until that is opened. */
              unconfirmed_email: string | null
              /** @description Whether a code is asked for besides the password. */
              second_factor: boolean
              recovery_codes_left: number
            }
            account: {
              id: number
              name: string
              /** Format: date-time */
              created_at: string
            }
            /** @description To be sent as `X-CSRF-Token` with every call that changes something. */
            csrf_token: string
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  signIn: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Alias or e-mail address. */
          login: string
          password: string
          /** @description Of the authenticator app, or a recovery code. */
          code?: string
        }
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            session: {
              id: number
              /** Format: date-time */
              created_at: string
              /** Format: date-time */
              expires_at: string
            }
            login: {
              id: number
              alias: string
              /** @description Null until one is confirmed by the link that was sent to it. */
              email: string | null
              /** @description A link was sent to it. It counts for nothing until that is opened. */
              unconfirmed_email: string | null
              /** @description Whether a code is asked for besides the password. */
              second_factor: boolean
              recovery_codes_left: number
            }
            account: {
              id: number
              name: string
              /** Format: date-time */
              created_at: string
            }
            /** @description To be sent as `X-CSRF-Token` with every call that changes something. */
            csrf_token: string
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       *
       *     **911**: The password is right; the code of the second factor is needed too.
       *
       *     **912**: The code of the second factor is wrong or was used.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       *
       *     **909**: A call made with the sign-in cookie did not prove that it comes from a page of this service.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  signOut: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       *
       *     **909**: A call made with the sign-in cookie did not prove that it comes from a page of this service.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  readArea: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            area: {
              /** @description Whether anybody may open an account. */
              registration: boolean
              /**
               * @description Who helps whoever forgot the password.
               * @enum {string}
               */
              password_reset: 'mail' | 'operator'
              operator_contact: string | null
              /** @description Whether this browser holds a live sign-in. */
              is_signed_in: boolean
              scopes: {
                /** @enum {string} */
                scope: 'all' | 'hooks' | 'hooks:read' | 'events:read' | 'deliveries:replay'
                words: string
              }[]
            }
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  register: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          account_name: string
          alias: string
          email: string
          password: string
        }
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            session: {
              id: number
              /** Format: date-time */
              created_at: string
              /** Format: date-time */
              expires_at: string
            }
            login: {
              id: number
              alias: string
              /** @description Null until one is confirmed by the link that was sent to it. */
              email: string | null
              /** @description A link was sent to it. It counts for nothing until that is opened. */
              unconfirmed_email: string | null
              /** @description Whether a code is asked for besides the password. */
              second_factor: boolean
              recovery_codes_left: number
            }
            account: {
              id: number
              name: string
              /** Format: date-time */
              created_at: string
            }
            /** @description To be sent as `X-CSRF-Token` with every call that changes something. */
            csrf_token: string
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       *
       *     **909**: A call made with the sign-in cookie did not prove that it comes from a page of this service.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1110**: There is nothing at this path. */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  askForPasswordLink: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Alias or e-mail address. */
          login: string
        }
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       *
       *     **909**: A call made with the sign-in cookie did not prove that it comes from a page of this service.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1130**: This installation sends no mail. Ask its operator for a new password. */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  resetPassword: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description From the link in the mail. */
          token: string
          new_password: string
          /**
           * @description Leaves API keys, apps and authorizations as they are.
           * @default false
           */
          keep_access?: boolean
        }
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       *
       *     **1013**: The link from the mail is unknown, was used or is too old. Ask for another.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       *
       *     **909**: A call made with the sign-in cookie did not prove that it comes from a page of this service.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  listSessions: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            sessions: {
              id: number
              /** @description Whether it is the one that asks. */
              is_current: boolean
              /** Format: date-time */
              created_at: string
              /**
               * Format: date-time
               * @description To the minute.
               */
              last_used_at: string
              /** Format: date-time */
              expires_at: string
              ip: string
              user_agent: string
            }[]
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  endOtherSessions: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            /** @description How many there were. */
            ended: number
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       *
       *     **909**: A call made with the sign-in cookie did not prove that it comes from a page of this service.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  endSession: {
    parameters: {
      query?: never
      header?: never
      path: {
        id: number
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       *
       *     **909**: A call made with the sign-in cookie did not prove that it comes from a page of this service.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1102**: The account has nothing with this id. */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  changePassword: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          current_password: string
          new_password: string
        }
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            session: {
              id: number
              /** Format: date-time */
              created_at: string
              /** Format: date-time */
              expires_at: string
            }
            login: {
              id: number
              alias: string
              /** @description Null until one is confirmed by the link that was sent to it. */
              email: string | null
              /** @description A link was sent to it. It counts for nothing until that is opened. */
              unconfirmed_email: string | null
              /** @description Whether a code is asked for besides the password. */
              second_factor: boolean
              recovery_codes_left: number
            }
            account: {
              id: number
              name: string
              /** Format: date-time */
              created_at: string
            }
            /** @description To be sent as `X-CSRF-Token` with every call that changes something. */
            csrf_token: string
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       *
       *     **909**: A call made with the sign-in cookie did not prove that it comes from a page of this service.
       *
       *     **910**: The password that was asked for again is wrong.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  beginSecondFactor: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          password: string
        }
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            /** @description In base32, to be typed. */
            secret: string
            /** @description `otpauth://…`, to be shown as a QR code. */
            uri: string
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       *
       *     **909**: A call made with the sign-in cookie did not prove that it comes from a page of this service.
       *
       *     **910**: The password that was asked for again is wrong.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1131**: The login has a second factor already. Switch it off before setting up another. */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  removeSecondFactor: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          password: string
        }
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       *
       *     **909**: A call made with the sign-in cookie did not prove that it comes from a page of this service.
       *
       *     **910**: The password that was asked for again is wrong.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1102**: The account has nothing with this id. */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  confirmSecondFactor: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Of the authenticator app. */
          code: string
        }
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            /** @description Ten codes for the day the app is lost, each good once. They are not shown again. */
            recovery_codes: string[]
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       *
       *     **912**: The code of the second factor is wrong or was used.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       *
       *     **909**: A call made with the sign-in cookie did not prove that it comes from a page of this service.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1102**: The account has nothing with this id. */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  renameAccount: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          name: string
        }
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       *
       *     **909**: A call made with the sign-in cookie did not prove that it comes from a page of this service.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  changeEmail: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          email: string
          password: string
        }
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       *
       *     **909**: A call made with the sign-in cookie did not prove that it comes from a page of this service.
       *
       *     **910**: The password that was asked for again is wrong.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1130**: This installation sends no mail. Ask its operator for a new password. */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  resendEmailVerification: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       *
       *     **909**: A call made with the sign-in cookie did not prove that it comes from a page of this service.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1102**: The account has nothing with this id. */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1130**: This installation sends no mail. Ask its operator for a new password. */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  confirmEmail: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description From the link in the mail. */
          token: string
        }
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       *
       *     **1013**: The link from the mail is unknown, was used or is too old. Ask for another.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       *
       *     **909**: A call made with the sign-in cookie did not prove that it comes from a page of this service.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  listAudit: {
    parameters: {
      query?: {
        /** @description Only entries older than the one with this id. */
        before?: number
        limit?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            entries: {
              id: number
              /** Format: date-time */
              at: string
              /** @description `login:`, `key:` or `app:` and its id; `operator`, `service`, or `visitor` for somebody who is not signed in. */
              actor: string
              /** @description Of the login, key or app. */
              actor_name: string | null
              action: string
              subject: string
              detail: {
                [key: string]: unknown
              }
            }[]
            next: number | null
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  exportAudit: {
    parameters: {
      query?: {
        /** @description Format of the file. */
        format?: 'ndjson' | 'csv'
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/x-ndjson': {
            id: number
            /** Format: date-time */
            at: string
            account_id: number
            actor: string
            action: string
            subject: string
            detail: {
              [key: string]: unknown
            }
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  listKeys: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            keys: {
              id: number
              name: string
              /** @description Its first characters, to tell keys apart. */
              prefix: string
              scopes: ('all' | 'hooks' | 'hooks:read' | 'events:read' | 'deliveries:replay')[]
              /** @description Addresses and networks from which it may be used; null: from everywhere. */
              allowed_ips: string[] | null
              expires_at: string | null
              revoked_at: string | null
              last_used_at: string | null
              /** @description How it was sent then: `header-key`, `basic-key` or `parameter-key`. */
              last_used_method: string | null
              /** Format: date-time */
              created_at: string
            }[]
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  createKey: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description What the key is for. */
          name: string
          /** @description What it may do. */
          scopes: ('all' | 'hooks' | 'hooks:read' | 'events:read' | 'deliveries:replay')[]
          /** @description When it ends by itself. */
          expires_at?: string | null
          /** @description Addresses and networks from which it may be used; none: from everywhere. */
          allowed_ips?: string[] | null
        }
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            key: {
              id: number
              name: string
              /** @description Its first characters, to tell keys apart. */
              prefix: string
              scopes: ('all' | 'hooks' | 'hooks:read' | 'events:read' | 'deliveries:replay')[]
              /** @description Addresses and networks from which it may be used; null: from everywhere. */
              allowed_ips: string[] | null
              expires_at: string | null
              revoked_at: string | null
              last_used_at: string | null
              /** @description How it was sent then: `header-key`, `basic-key` or `parameter-key`. */
              last_used_method: string | null
              /** Format: date-time */
              created_at: string
            }
            /** @description The key itself. */
            secret: string
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       *
       *     **909**: A call made with the sign-in cookie did not prove that it comes from a page of this service.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1203**: The account has as many API keys as it may have. Revoke one first. */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  viewKey: {
    parameters: {
      query?: never
      header?: never
      path: {
        id: number
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          password: string
        }
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            /** @description The key itself. */
            secret: string
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       *
       *     **909**: A call made with the sign-in cookie did not prove that it comes from a page of this service.
       *
       *     **910**: The password that was asked for again is wrong.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1102**: The account has nothing with this id. */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  revokeKey: {
    parameters: {
      query?: never
      header?: never
      path: {
        id: number
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       *
       *     **909**: A call made with the sign-in cookie did not prove that it comes from a page of this service.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1102**: The account has nothing with this id. */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  listDeprecatedUses: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            uses: {
              /** @enum {string} */
              kind: 'parameter-key' | 'login-password'
              /** Format: date */
              last_day: string
              uses_30_days: number
            }[]
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  listApps: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            apps: {
              /** @description The client id. */
              id: string
              name: string
              /** @description Runs on the devices of its users, so it has no secret. */
              is_public: boolean
              redirect_uris: string[]
              /** @description The first characters of the secret. */
              secret_prefix: string | null
              /** Format: date-time */
              created_at: string
              last_used_at: string | null
              /** @description Accounts that let the app in now. */
              customers: number
            }[]
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  createApp: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description What people see when they are asked to let the app in, 1 to 60 characters. */
          name: string
          is_public: boolean
          /** @description Where people are sent back to, 1 to 10: https, or for a public app also http://127.0.0.1, http://[::1] and a scheme of its own such as com.example.app:/callback. */
          redirect_uris: string[]
        }
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            app: {
              /** @description The client id. */
              id: string
              name: string
              /** @description Runs on the devices of its users, so it has no secret. */
              is_public: boolean
              redirect_uris: string[]
              /** @description The first characters of the secret. */
              secret_prefix: string | null
              /** Format: date-time */
              created_at: string
              last_used_at: string | null
              /** @description Accounts that let the app in now. */
              customers: number
            }
            secret: string | null
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1204**: The account publishes as many apps as it may. Delete one first. */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  changeApp: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The client id of one of your apps. */
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description What people see when they are asked to let the app in, 1 to 60 characters. */
          name?: string
          /** @description Where people are sent back to, 1 to 10: https, or for a public app also http://127.0.0.1, http://[::1] and a scheme of its own such as com.example.app:/callback. */
          redirect_uris?: string[]
        }
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            app: {
              /** @description The client id. */
              id: string
              name: string
              /** @description Runs on the devices of its users, so it has no secret. */
              is_public: boolean
              redirect_uris: string[]
              /** @description The first characters of the secret. */
              secret_prefix: string | null
              /** Format: date-time */
              created_at: string
              last_used_at: string | null
              /** @description Accounts that let the app in now. */
              customers: number
            }
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1102**: The account has nothing with this id. */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  deleteApp: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The client id of one of your apps. */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1102**: The account has nothing with this id. */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  rotateAppSecret: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The client id of one of your apps. */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            secret: string
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1102**: The account has nothing with this id. */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  listAuthorizations: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            authorizations: {
              app: {
                id: string
                name: string
                publisher: string
                /** @description Where the app sends people. */
                hosts: string[]
              }
              scopes: string[]
              /** @description The alias of the login that agreed last. */
              granted_by: string
              /** Format: date-time */
              granted_at: string
              /** Format: date-time */
              expires_at: string
              last_used_at: string | null
            }[]
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  revokeAuthorization: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the app. */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1102**: The account has nothing with this id. */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  readInteraction: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description As it stands in the address of the page. */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            interaction: {
              id: string
              /** @enum {string} */
              needs: 'sign-in' | 'consent'
              app: {
                id: string
                name: string
                publisher: string
                /** Format: date-time */
                created_at: string
                is_public: boolean
              }
              redirect_host: string
              scopes: {
                scope: string
                words: string
              }[]
              lasts_days: number
              login_alias: string | null
              had_access: boolean
            }
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1102**: The account has nothing with this id. */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  allowInteraction: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description As it stands in the address of the page. */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            /** @description Where the browser goes on. */
            return_to: string
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1102**: The account has nothing with this id. */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       *
       *     **1207**: The account has too many searches or other calls in progress at once. Retry after `Retry-After`.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
  denyInteraction: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description As it stands in the address of the page. */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            /** @description Where the browser goes on. */
            return_to: string
          }
        }
      }
      /**
       * @description **905**: Different credentials were sent in one call. Send exactly one.
       *
       *     **1000**: The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.
       *
       *     **1010**: A required parameter is missing or empty.
       *
       *     **1011**: The same parameter was sent more than once with different values.
       *
       *     **1012**: A parameter has a value that is not one of those it can have.
       */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **900**: No valid credential was sent. Send an API key as `X-Api-Key: <key>`.
       *
       *     **906**: The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.
       */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **902**: The key or token is valid but lacks the scope this call needs.
       *
       *     **903**: The key may only be used from other IP addresses than the one the call came from.
       *
       *     **904**: The account is suspended. Its owner should contact the operator.
       */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1102**: The account has nothing with this id. */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1001**: The body is larger than this call accepts. */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1002**: The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8. */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /**
       * @description **907**: Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.
       *
       *     **1200**: The account made too many calls in this minute. Wait as long as `Retry-After` says.
       */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1300**: Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays. */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
      /** @description **1301**: The service cannot work right now. Repeat the call after `Retry-After` seconds. */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Failure']
        }
      }
    }
  }
}
