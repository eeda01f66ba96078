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
     * @description Lists all webhooks of the account, oldest first, including disabled ones.
     *
     *     Needs the scope `hooks:read`.
     */
    get: operations['listHooks']
    put?: never
    /**
     * Register a webhook
     * @description Creates an enabled webhook. If a webhook with the same URL, type, method, filter and headers exists, its id is returned.
     *
     *     Needs the scope `hooks`.
     */
    post: operations['createHook']
    /**
     * Delete a webhook
     * @description Deletes the webhook with this `id`, or the webhook created with these `target_url`, `event_type` and `request_method`.
     *
     *     Needs the scope `hooks`.
     */
    delete: operations['deleteHook']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/hooks/find': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Find webhooks
     * @description Finds webhooks whose name or URL contains every word, or whose id is the text. Returns at most 20.
     *
     *     Needs the scope `hooks:read`.
     */
    get: operations['findWebhooks']
    put?: never
    post?: never
    delete?: never
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
     * Read health of all webhooks
     * @description Lists all webhooks of the account, oldest first, with state, message and statistics.
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
  '/api/hooks/create': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Create a webhook
     * @description Creates an enabled webhook with all its settings. Unlike `POST /api/hooks`, rejects a webhook whose URL, type, method, filter and headers exist.
     *
     *     Needs the scope `hooks`.
     */
    post: operations['createWebhook']
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
     * Preview a webhook
     * @description Validates the values of a new or changed webhook. Returns the exact requests for a sample event in every format, signed with a placeholder secret.
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
  '/api/hooks/backtest-filter': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Backtest a filter
     * @description Runs a filter on the newest events of the account for at most a third of a second and counts the matches. With `hook_id`, compares them with the current filter of that webhook. Numbers are masked.
     *
     *     Needs the scope `events:read`.
     */
    post: operations['backtestFilter']
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
     * @description Returns a webhook with its health and its warnings, newest first.
     *
     *     Needs the scope `hooks:read`.
     */
    get: operations['readWebhook']
    put?: never
    /**
     * Update a webhook
     * @description Updates the given parameters and keeps the others. Pending deliveries use the new values: each attempt uses the current URL, method, headers and delivery options. Name and description do not affect deliveries.
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
     * @description Stops deliveries to the webhook. Pending and new deliveries are held for up to 7 days and 100,000 events.
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
     * @description Resumes deliveries to the webhook, and delivers or drops its held events.
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
     * Send test event
     * @description Sends a sample event through the normal delivery path to this webhook only, ignoring its filter. The request has the header `x-hookline-test: 1`. There is one attempt, and a failure does not affect the health of the webhook. While the circuit breaker is open, test events are still sent, one at a time, and a success closes the breaker.
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
  '/api/hooks/{id}/retry': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Retry now
     * @description Attempts pending deliveries now. If the circuit breaker is open, one delivery is sent as a probe, and the others follow if it succeeds. Otherwise up to 10,000 deliveries that wait for their next attempt are sent, except those that your server delayed with `Retry-After`. The last attempt of a delivery stays on its schedule, and so does a delivery that was attempted in the last 5 seconds.
     *
     *     Needs the scope `hooks`.
     */
    post: operations['retryWebhook']
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
     * Read webhook secret
     * @description Returns the webhook secret for `webhook-signature` and the account key for `x-signature`. Each call is recorded in the audit log.
     *
     *     Needs the scope `hooks`.
     */
    get: operations['readWebhookSecret']
    put?: never
    /**
     * Rotate webhook secret
     * @description Creates a new secret that signs all further deliveries. For 24 hours, deliveries also carry a signature with the old secret, so that receivers can switch without errors.
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
     * Read webhook statistics
     * @description Returns delivery counts per hour for 24 hours and 7 days, and per UTC day for 30 days, including empty buckets. Failure reasons cover the newest 1,000 failures.
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
     * List attempts of a webhook
     * @description Lists attempts with request and response, newest first, 25 events per page. Later pages have older events. Numbers, texts and header values are masked.
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
  '/api/hooks/{id}/versions': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List versions of a webhook
     * @description Lists who changed what and when, newest first, 25 versions per page. To get the next page, send `next` as `before`. The newest 100 versions are complete. Of older ones, those without deliveries are deleted. Versions of a deleted webhook stay available for 30 days.
     *
     *     Needs the scope `hooks:read`.
     */
    get: operations['listWebhookVersions']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/hooks/{id}/versions/{version}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Preview restoring a version
     * @description Compares the webhook with an earlier version: returns what a restore would change, and the error that it would return.
     *
     *     Needs the scope `hooks:read`.
     */
    get: operations['readWebhookVersion']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/hooks/{id}/versions/{version}/restore': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Restore a version of a webhook
     * @description Gives the webhook the settings of an earlier version, as an edit with all its checks. A disabled webhook stays disabled, an enabled one enabled. The signing secret stays. If the rate limit of the version was not recorded, it stays too.
     *
     *     Needs the scope `hooks`.
     */
    post: operations['restoreWebhookVersion']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/hooks/{id}/mute': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Mute a webhook
     * @description Stops emails to you about the webhook. Notices about it are still listed.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    post: operations['muteWebhook']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/hooks/{id}/unmute': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Unmute a webhook
     * @description Sends you emails about the webhook again.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    post: operations['unmuteWebhook']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/notices': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List notices
     * @description Lists notices about your account and your login, newest first, and who got them. To get the next page, send `next` as `before`.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    get: operations['listNotices']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/notices/unread': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Count unread notices
     * @description Returns the number of notices that you have not marked as seen.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    get: operations['countUnreadNotices']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/notices/seen': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Mark notices as seen
     * @description Marks a notice and all older ones as seen by you. Other users still see them as unread.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    post: operations['markNoticesSeen']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/notices/preferences': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read notice preferences
     * @description Returns which notices you get by email.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    get: operations['readNoticePreferences']
    put?: never
    /**
     * Change notice preferences
     * @description Sets how you get notices of each group by email. Groups that are not sent stay as they are.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    post: operations['changeNoticePreferences']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/notices/test': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Send a test email
     * @description Queues a test email to your verified email. Its result is the field `last_test` of your preferences.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    post: operations['sendTestNotice']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/notices/channels': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List channels
     * @description Lists where the notices of your account are sent, besides the emails of its members.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    get: operations['listNoticeChannels']
    put?: never
    /**
     * Create a channel
     * @description Sends notices of your account to an incoming webhook of a chat service, or to a further email. The holder of an email must open a link first, which works once within 24 hours. The URL is not shown again.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    post: operations['createNoticeChannel']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/notices/channels/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Change a channel
     * @description Changes the name, the groups or the mode of a channel. Settings that are not sent stay as they are.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    post: operations['changeNoticeChannel']
    /**
     * Delete a channel
     * @description Stops notices to the channel at once.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    delete: operations['deleteNoticeChannel']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/notices/channels/{id}/resend': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Resend the link of a channel
     * @description Sends a new link to an email that is not confirmed yet. The previous link stops working.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    post: operations['resendNoticeChannel']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/notices/channels/{id}/test': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Send a test to a channel
     * @description Queues a test message. Its result is the field `last` of the channel.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    post: operations['testNoticeChannel']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/event-types': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List event types
     * @description Lists the names that webhooks can be registered with: built-in types and custom types of the installation.
     *
     *     Needs the scope `hooks:read`.
     */
    get: operations['listEventTypes']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/event-types/schemas': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read event schemas
     * @description Returns the JSON Schema of `data` and samples of each event type, including custom types of the installation.
     *
     *     Needs the scope `hooks:read`.
     */
    get: operations['readEventSchemas']
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
     * @description Searches the events of the account, newest first. A long search returns its results so far, possibly none, and a cursor to continue. The search is complete only when `next` is null.
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
  '/api/events/export': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Export events
     * @description Downloads all results of a search, newest first, as one JSON object per line or as CSV. An export has at most 50,000 events and takes at most 60 seconds. An account has at most 2 open exports. If it is cut off, its last line says so, with the cursor to continue from. In JSON Lines that line is `{"truncated": true, "events": …, "next": …}`. Numbers are masked. `reveal` exports them unmasked. The audit log records every export.
     *
     *     Needs the scope `events:read`.
     */
    get: operations['exportEvents']
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
     * Stream events
     * @description Streams server-sent events. `event: event` is an accepted event, `event: attempt` is an attempt that failed, `event: delivery` is a finished delivery. Each of these is sent once, in commit order. `event: route` lists the pending deliveries of an event after it was matched against the webhooks. It has no id and may be repeated after a reconnect. The parameters besides `from` restrict the events that are sent; attempts and deliveries are not restricted. In a stream, `q` does not compare webhook ids. Numbers are masked. The id of a message is a cursor. To resume after it, send it as `Last-Event-ID`, as browsers do, or as `from`. A heartbeat comment is sent every 15 seconds. The stream ends when the credential becomes invalid, or when the client reads nothing for 30 seconds.
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
     * Read event
     * @description Returns one event with the match result of each webhook, all deliveries and attempts with request and response, and the next attempt. Numbers, texts and header values are masked. `reveal` returns them unmasked and is recorded in the audit log.
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
     * Read event as cURL command
     * @description Returns the current request for this event and webhook as a cURL command, to test a receiver. The command contains unmasked event data, so the call is recorded in the audit log. It contains valid signatures with the scope `hooks` and custom headers with `hooks:read`, otherwise placeholders.
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
  '/api/caller': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read the caller
     * @description Returns the account of the credential and its scopes, to check a credential.
     *
     *     Needs any credential.
     */
    get: operations['readCaller']
    put?: never
    post?: never
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
     * Read overview
     * @description Returns alerts and statistics: the last hour per minute, the last 24 hours or 7 days per hour, or the last 30 days per UTC day, including the current one. The last hour counts events, deliveries and attempts by the minute in which the event was accepted.
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
  '/api/onboarding': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read first steps
     * @description Returns which first steps the account has completed.
     *
     *     Needs the scope `hooks:read`.
     */
    get: operations['readOnboarding']
    put?: never
    /**
     * Change first steps
     * @description Marks the signature step as done, or dismisses the steps for all users of the account.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    post: operations['changeOnboarding']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/test-receiver': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read the test receiver
     * @description Returns the URL of the built-in test receiver of the account and its last requests, at most 50 of the last 24 hours, newest first. Each had a valid `webhook-signature`; others are rejected.
     *
     *     Needs the scope `hooks:read`.
     */
    get: operations['readTestReceiver']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/consumers': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List consumers
     * @description Lists the consumers of the account by name.
     *
     *     Needs the scope `hooks:read`.
     */
    get: operations['listConsumers']
    put?: never
    /**
     * Create a consumer
     * @description A consumer fetches events by polls, in commit order, so it needs no public URL. It starts with events that are accepted after its creation, unless `from` is set. It gets the same requests as a webhook, signed with the secret of its webhook or with its own.
     *
     *     Needs the scope `hooks`.
     */
    post: operations['createConsumer']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/consumers/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read a consumer
     * @description Returns the settings, the position and the lease of a consumer.
     *
     *     Needs the scope `hooks:read`.
     */
    get: operations['readConsumer']
    put?: never
    /**
     * Edit a consumer
     * @description Changes the given settings of a consumer. Its position and its lease stay.
     *
     *     Needs the scope `hooks`.
     */
    post: operations['editConsumer']
    /**
     * Delete a consumer
     * @description Deletes a consumer with its position. Events stay in the ledger.
     *
     *     Needs the scope `hooks`.
     */
    delete: operations['deleteConsumer']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/consumers/{id}/poll': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Poll events
     * @description Returns the next events of a consumer in commit order, each as the request that a worker would send. The first poll of a reader takes the lease, and each poll extends it. While the lease lasts, other readers get an error. The events are returned again until a cursor behind them is committed, so each is read at least once. Needs the scope `hooks` too. Without new events, the call waits for up to `wait` seconds.
     *
     *     Needs the scope `events:read`.
     */
    post: operations['pollConsumer']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/consumers/{id}/commit': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Commit a position
     * @description Records that everything up to the cursor is handled. The position never moves backward, so a repeated or late call does nothing.
     *
     *     Needs the scope `hooks`.
     */
    post: operations['commitConsumer']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/consumers/{id}/release': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Release the lease
     * @description Ends the lease of a reader that stops, so another can start at once.
     *
     *     Needs the scope `hooks`.
     */
    post: operations['releaseConsumer']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/consumers/{id}/seek': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Change the position
     * @description Moves the position of a consumer forward or backward, and ends the lease of its reader. The reader gets an error on its next poll and starts from the new position.
     *
     *     Needs the scope `hooks`.
     */
    post: operations['seekConsumer']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/consumers/{id}/test': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Send test event
     * @description Stores a sample event that this consumer gets with its next poll, whatever its filter is. No webhook gets it. Its request has the header `x-hookline-test: 1`.
     *
     *     Needs the scope `hooks`.
     */
    post: operations['testConsumer']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/consumers/{id}/secret': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read consumer secret
     * @description Returns the secret for `webhook-signature` in the requests of a consumer without a webhook. Each call is recorded in the audit log.
     *
     *     Needs the scope `hooks`.
     */
    get: operations['readConsumerSecret']
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
     * Count deliveries of a replay
     * @description Counts the deliveries that a replay would send and those that it would skip. After about a second, returns lower bounds.
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
     * @description Lists the latest 100 replays, newest first.
     *
     *     Needs the scope `deliveries:replay`.
     */
    get: operations['listReplays']
    put?: never
    /**
     * Start replay
     * @description Starts a new round of finished deliveries with the same event id and body, and the header `x-hookline-replay`. The replay runs in the background at the given rate and continues after restarts. A search excludes events accepted after this call. Members with the role support replay one delivery per call.
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
     * Read replay
     * @description Returns a replay. Counts lag by a few seconds while it runs and are exact when it is finished.
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
     * @description Starts no more attempts of the replay, including retries, until it is resumed. Attempts in flight complete.
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
     * @description Continues a paused replay.
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
     * @description Stops the replay and cancels its pending deliveries. In a replay of held events, the remaining events return to hold.
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
     * Read session
     * @description Returns the session, its login and account, and the CSRF token.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    get: operations['readSession']
    put?: never
    /**
     * Sign in
     * @description Starts a session and sets its cookie. A login with two-factor authentication also needs `code` or `passkey`. Without one, the error code is 911, `details.allowed` lists `code`, `recovery_code` and `passkey` as far as the login has them, and `details.passkey_options` are the options for its passkeys. A user of several accounts continues in the one used last. With `invitation`, the login first becomes a member of its account.
     *
     *     Needs no credential.
     */
    post: operations['signIn']
    /**
     * Sign out
     * @description Immediately revokes this session.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    delete: operations['signOut']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/session/account': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Switch account
     * @description Continues in another account of yours, with a new session. The response sets a new cookie, and further calls need the new `csrf_token`. So a page that still shows the old account cannot change the new one.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    post: operations['switchAccount']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/session/passkey': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Sign in with a passkey
     * @description Starts a session like `POST /api/session`, without password and code: a passkey is on a device, and the device verifies its user.
     *
     *     Needs no credential.
     */
    post: operations['signInWithPasskey']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/session/passkey/options': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Start sign-in with a passkey
     * @description Returns the options for `navigator.credentials.get()`. They are for any login: the authenticator offers its passkeys.
     *
     *     Needs no credential.
     */
    post: operations['startPasskeySignIn']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/session/confirm/options': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Start confirmation with a passkey
     * @description Returns the options for `navigator.credentials.get()`. The response of the authenticator is valid as `passkey` of one call in this session.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    post: operations['startConfirmation']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/session/sso': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Sign in with single sign-on
     * @description Returns the URL of an identity provider: that of a connection, or of the account that has verified the domain of the email. The provider sends the browser back, which then has a session. The response does not depend on whether a login exists.
     *
     *     Needs no credential.
     */
    post: operations['startSso']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/sso': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read single sign-on
     * @description Returns the connection to the identity provider, the domains, and the redirect URI.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    get: operations['readSso']
    put?: never
    /**
     * Set up single sign-on
     * @description Saves the identity provider of the account: an OpenID Connect issuer and your client there. Fetches the configuration of the provider first. Another issuer or client lifts the requirement to sign in through the provider. Another issuer also deletes identities and ends sessions of the old one. Requires the password or a passkey.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    post: operations['configureSso']
    /**
     * Remove single sign-on
     * @description Removes the connection and all identities, ends its sessions, and lifts the requirement. Domains stay. Requires the password or a passkey.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    delete: operations['removeSso']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/sso/settings': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Change single sign-on settings
     * @description Changes the given settings only. To require single sign-on, at least one owner with two-factor authentication must be a break-glass user, who can sign in if the provider fails. Then sessions and the deprecated credential `u` and `p` of all other members stop working in this account. API keys and apps continue. Requires the password or a passkey.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    post: operations['changeSsoSettings']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/sso/domains': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Add domain
     * @description Adds an email domain and returns the TXT record that proves it. A domain that was added before is returned as it is.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    post: operations['addSsoDomain']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/sso/domains/{id}/verify': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Verify domain
     * @description Looks up the TXT record. With a verified domain, users sign in with their email, members are linked by their verified email, and new users can join. Only one account can verify a domain.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    post: operations['verifySsoDomain']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/sso/domains/{id}': {
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
     * Remove domain
     * @description Removes a domain. Existing members and identities stay.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    delete: operations['removeSsoDomain']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/sso/link': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Link identity
     * @description Links your login to the user that you sign in as at the identity provider of the account. Requires the password or a passkey.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    post: operations['linkSso']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/sso/confirm': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Confirm with the identity provider
     * @description For sessions of single sign-on: you sign in at the identity provider again. Then operations that require the password accept an empty `password` for 5 minutes.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    post: operations['confirmSso']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/sso/identities': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List identities
     * @description Lists the links between users of the identity provider and members of the account. Members below admin see their own only.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    get: operations['listSsoIdentities']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/sso/identities/{id}': {
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
     * Unlink identity
     * @description Removes a link and ends the sessions that it has started in this account. Members below owner remove their own links only.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    delete: operations['unlinkSsoIdentity']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dashboard-config': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read dashboard config
     * @description Returns the settings that dashboard pages need before sign-in.
     *
     *     Needs no credential.
     */
    get: operations['readDashboardConfig']
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
     * Create account
     * @description Creates an account with its first login and starts a session, if the operator allows registration. The email is active once its verification link is opened. The response does not reveal whether another login has the email.
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
     * Request password reset
     * @description Sends an email with a link that works once within 30 minutes. Earlier links stay valid, and while a link is younger than 5 minutes, only a known browser gets another one. The response does not reveal whether the login exists.
     *
     *     Needs no credential.
     */
    post: operations['requestPasswordReset']
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
     * Reset password
     * @description Consumes the link, sets the password and revokes all sessions of the login. Unless `keep_access` is true, also revokes the API keys, OAuth apps and authorizations of its accounts. In an account with other members, only the authorizations of this login are revoked. Two-factor authentication stays on. Exception: if the email was never verified before, `keep_access` is ignored and two-factor authentication is removed.
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
     * List sessions
     * @description Lists the sessions of your login, last used first.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    get: operations['listSessions']
    put?: never
    post?: never
    /**
     * Sign out other sessions
     * @description Immediately revokes all other sessions of your login.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    delete: operations['revokeOtherSessions']
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
     * Revoke session
     * @description Immediately revokes a session of your login.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    delete: operations['revokeSession']
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
     * Change password
     * @description Requires the current password or a passkey. Revokes all sessions of your login and starts a new session for this browser. The response sets a new cookie, and further calls need the new `csrf_token`.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
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
     * Set up authenticator app
     * @description Creates a secret for an authenticator app. Requires the password or a passkey. The app is enabled once a code is sent to `/api/second-factor/confirm`.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    post: operations['startSecondFactor']
    /**
     * Remove authenticator app
     * @description Requires the password or a passkey. Without passkeys, two-factor authentication is then off, and recovery codes become invalid.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
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
     * Enable authenticator app
     * @description Sign-in with the password then also requires a code or a passkey. The API no longer accepts the password as a credential.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    post: operations['confirmSecondFactor']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/passkeys': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List passkeys
     * @description Lists the passkeys of your login, oldest first.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    get: operations['listPasskeys']
    put?: never
    /**
     * Add passkey
     * @description Adds a passkey with the response of an authenticator to the options of `POST /api/passkeys/options`. Sign-in is then possible with the passkey alone, and the password alone is no longer enough, also as a credential of the API. A login can have 20 passkeys.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    post: operations['addPasskey']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/passkeys/options': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Start adding a passkey
     * @description Returns the options for `navigator.credentials.create()`. Requires the password or another passkey. Send the response of the authenticator to `POST /api/passkeys` in this session.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    post: operations['startPasskey']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/passkeys/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Rename passkey
     * @description Renames a passkey of your login.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    post: operations['renamePasskey']
    /**
     * Remove passkey
     * @description Removes a passkey of your login. Requires the password or a passkey. Without an authenticator app, the removal of the last passkey turns off two-factor authentication, and recovery codes become invalid. Sessions stay.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    delete: operations['removePasskey']
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
     * Rename account
     * @description Changes the display name of the account.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    post: operations['renameAccount']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/account/country': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read default country
     * @description Returns the default country of the account and all countries that can be chosen. Searches understand numbers in the national form of the default country.
     *
     *     Needs the scope `events:read`.
     */
    get: operations['readCountry']
    put?: never
    /**
     * Set default country
     * @description Sets the country whose national numbers searches understand: with DE, `0171 234567` is `+49171234567`. Null removes it.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    post: operations['setCountry']
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
     * Change email
     * @description Sends a verification link to the new email. Requires the password or a passkey. The old email stays active until the link is opened in a session of this login.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
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
     * Resend verification email
     * @description Sends a new link to the unconfirmed email of your login. Earlier links stay valid.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
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
     * Confirm email
     * @description Sets the email that the link was sent to as the email of your login. The link works only for the login that requested it. Hookline notifies the old email.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
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
     * List audit log entries
     * @description Lists the audit log of your account, newest first. To get the next page, send `next` as `before`.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
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
     * @description Downloads the audit log of your account, oldest entry first, as one JSON object per line or as CSV. The operator sets the retention of entries.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
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
  '/api/members': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List members
     * @description Lists the members of your account with their roles and rights, owners first.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    get: operations['listMembers']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/members/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Change role or rights
     * @description Changes the role and the rights of a member. Omitted parameters keep their values. A change takes effect with the next call of the member, and of apps that the member authorized. You cannot change yourself, or give more than you have.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    post: operations['changeMember']
    /**
     * Remove member, or leave
     * @description Removes a member: an admin removes others, and everyone can leave. Sessions in the account and authorizations end at once. API keys belong to the account and stay. The response lists the secrets that the member knows.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    delete: operations['removeMember']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/members/{id}/secrets': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List secrets that a member knows
     * @description Lists the valid secrets of the account that a member has created or seen, latest first: API keys, secrets of webhooks, consumers and OAuth apps, and the signing key.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    get: operations['listMemberSecrets']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/members/{id}/transfer': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Transfer ownership
     * @description Makes another member an owner and you an admin, at the same time. Requires the password or a passkey.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    post: operations['transferOwnership']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/invitations': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List invitations
     * @description Lists open invitations, and those that expired in the last 30 days, latest first.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    get: operations['listInvitations']
    put?: never
    /**
     * Invite
     * @description Sends an email with a link that works once within 7 days. A second invitation of an email replaces the first. You cannot give more than your own role and rights.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    post: operations['createInvitation']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/invitations/read': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Read invitation
     * @description Returns what the link of an invitation gives access to.
     *
     *     Needs no credential.
     */
    post: operations['readInvitation']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/invitations/accept': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Accept invitation
     * @description Makes your login a member of the account, and continues in it with a new session. The response sets a new cookie, and further calls need the new `csrf_token`.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    post: operations['acceptInvitation']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/invitations/register': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Accept invitation with a new login
     * @description Creates a login with the email of the invitation, which the link has verified, makes it a member of the account, and starts a session. Works without self-registration.
     *
     *     Needs no credential.
     */
    post: operations['registerInvited']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/invitations/{id}/resend': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Resend invitation
     * @description Sends a new link that works for another 7 days. The old link stops working.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    post: operations['resendInvitation']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/invitations/{id}': {
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
     * Revoke invitation
     * @description Deletes an invitation. Its link stops working at once.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    delete: operations['revokeInvitation']
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
     * @description Lists the API keys of your account, newest first. Revoked keys are last.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    get: operations['listKeys']
    put?: never
    /**
     * Create API key
     * @description Creates an API key for your account. `secret` is the key, which can be revealed again later.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
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
     * Reveal API key
     * @description Returns the full API key. Requires the password or a passkey, and is recorded in the audit log.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
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
     * @description Revokes an API key of your account permanently and immediately.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    delete: operations['revokeKey']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/signing-key': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get signing settings
     * @description Returns whether calls must be signed, and the state of a rotation, without the key.
     *
     *     Needs the scope `hooks`.
     */
    get: operations['readSigningSettings']
    put?: never
    /**
     * Require signed calls
     * @description Sets whether every call with an API credential must be signed: API key, access token, or login and password.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    post: operations['requireSignedCalls']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/signing-key/view': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Reveal signing key
     * @description Returns the signing key of the account. Each call is recorded in the audit log.
     *
     *     Needs the scope `hooks`.
     */
    post: operations['viewSigningKey']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/signing-key/rotate': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Rotate signing key
     * @description Creates the next key. For 24 hours, deliveries are signed with both keys: `X-Signature` uses the current key and `X-Hookline-Next-Signature` the next one. Calls can be signed with either. Then the next key replaces the current one. A rotation during another one replaces its next key.
     *
     *     Needs the scope `hooks`.
     */
    post: operations['rotateSigningKey']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/signing-key/switch': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Switch to the next signing key
     * @description Ends the rotation: the next key replaces the current one, which is no longer valid.
     *
     *     Needs the scope `hooks`.
     */
    post: operations['switchSigningKey']
    delete?: never
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
     * List uses of deprecated credentials
     * @description Lists the deprecated authentication methods that calls of your account used. Send API keys as `X-Api-Key` instead.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
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
     * List OAuth apps
     * @description Lists the OAuth apps of your account, newest first.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    get: operations['listApps']
    put?: never
    /**
     * Create OAuth app
     * @description Creates an OAuth app. For a confidential app the response contains the client secret, which is shown only once.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
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
     * Update OAuth app
     * @description Changes the name, the redirect URIs or both. Omitted parameters keep their values.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    post: operations['changeApp']
    /**
     * Delete OAuth app
     * @description Deletes the app and immediately revokes all its authorizations.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
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
     * Rotate client secret
     * @description Returns a new client secret, which is shown only once. The old secret stops working immediately. Tokens stay valid.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
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
     * List authorizations
     * @description Lists the OAuth apps that your account authorizes, latest consent first.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
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
     * Revoke authorization
     * @description Immediately revokes all tokens of the app for your account. Developers revoke only their own authorizations.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
     */
    delete: operations['revokeAuthorization']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/oauth/me': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read the user of an access token
     * @description Returns the user who authorized the app. Apps call it to test a connection. `balance` is always `0.00`: Hookline has no billing.
     *
     *     Needs the access token of an OAuth app, with any scope.
     */
    get: operations['readMe']
    put?: never
    post?: never
    delete?: never
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
     * Read authorization request
     * @description Returns the data of the consent page. Works only in the browser that started the request.
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
     * Authorize app
     * @description Grants the app the requested scopes for your account.
     *
     *     Needs a signed-in user; API keys and tokens are rejected.
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
     * Deny app
     * @description Denies the authorization request and notifies the app. Works without sign-in.
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
export interface webhooks {
  rcs: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * An event of type rcs, with GET
     * @description Sent to webhooks with the request method `GET`. The fields of `data` are in the query: `?id=77007&agent_id=example-agent&sender=491700000001&time=1763197200&message_type=RCS&content_type=text&text=Hello+from+Hookline&webhook_event=rcs&webhook_timestamp=2026-11-15T09%3A30%3A00%2B00%3A00`
     */
    get: {
      parameters: {
        query: {
          /** @description Each field of the data is a parameter of its own. */
          data: components['schemas']['rcs_data']
          webhook_event: 'rcs'
          webhook_timestamp: string
        }
        header: {
          /** @description Id of the event; the same on every attempt and for every webhook. Use it to detect duplicates. */
          'webhook-id': components['parameters']['webhook-id']
          /** @description Time of this attempt in Unix seconds. */
          'webhook-timestamp': components['parameters']['webhook-timestamp']
          /** @description `v1,` and the Base64 of the HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}` with the secret of the webhook. For a GET, the body is the raw query string. Two signatures, separated by a space, for 24 hours after a rotation. */
          'webhook-signature': components['parameters']['webhook-signature']
          /** @description Id of the webhook. */
          'x-hookline-hook': components['parameters']['x-hookline-hook']
          /** @description Number of the attempt, from 1. */
          'x-hookline-attempt': components['parameters']['x-hookline-attempt']
          /** @description Only in a replay: 1 for the first replay, then 2. */
          'x-hookline-replay'?: components['parameters']['x-hookline-replay']
          /** @description `1` on a test event. */
          'x-hookline-test'?: components['parameters']['x-hookline-test']
          /** @description With the option `trace_header`: the trace of the event, in the format of W3C Trace Context. */
          traceparent?: components['parameters']['traceparent']
          /** @description The older signature: hexadecimal HMAC-SHA-256 with the signing key of the account, over timestamp, nonce, method, registered URL and MD5 of the body, joined by line feeds. */
          'x-signature': components['parameters']['x-signature']
          /** @description Time in the older signature, in Unix seconds. */
          'x-timestamp': components['parameters']['x-timestamp']
          /** @description Random text in the older signature. */
          'x-nonce': components['parameters']['x-nonce']
          /** @description During a rotation of the signing key: the older signature with the next key. */
          'x-hookline-next-signature'?: components['parameters']['x-hookline-next-signature']
        }
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        /** @description Received. Any other status is a failure and is retried. */
        '2XX': {
          headers: {
            [name: string]: unknown
          }
          content?: never
        }
      }
    }
    put?: never
    /**
     * An event of type rcs
     * @description Sent to webhooks of this type or `all`, with the request method `JSON` or `POST`. Any 2xx response confirms the delivery.
     */
    post: {
      parameters: {
        query?: never
        header: {
          /** @description Id of the event; the same on every attempt and for every webhook. Use it to detect duplicates. */
          'webhook-id': components['parameters']['webhook-id']
          /** @description Time of this attempt in Unix seconds. */
          'webhook-timestamp': components['parameters']['webhook-timestamp']
          /** @description `v1,` and the Base64 of the HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}` with the secret of the webhook. For a GET, the body is the raw query string. Two signatures, separated by a space, for 24 hours after a rotation. */
          'webhook-signature': components['parameters']['webhook-signature']
          /** @description Id of the webhook. */
          'x-hookline-hook': components['parameters']['x-hookline-hook']
          /** @description Number of the attempt, from 1. */
          'x-hookline-attempt': components['parameters']['x-hookline-attempt']
          /** @description Only in a replay: 1 for the first replay, then 2. */
          'x-hookline-replay'?: components['parameters']['x-hookline-replay']
          /** @description `1` on a test event. */
          'x-hookline-test'?: components['parameters']['x-hookline-test']
          /** @description With the option `trace_header`: the trace of the event, in the format of W3C Trace Context. */
          traceparent?: components['parameters']['traceparent']
          /** @description The older signature: hexadecimal HMAC-SHA-256 with the signing key of the account, over timestamp, nonce, method, registered URL and MD5 of the body, joined by line feeds. */
          'x-signature': components['parameters']['x-signature']
          /** @description Time in the older signature, in Unix seconds. */
          'x-timestamp': components['parameters']['x-timestamp']
          /** @description Random text in the older signature. */
          'x-nonce': components['parameters']['x-nonce']
          /** @description During a rotation of the signing key: the older signature with the next key. */
          'x-hookline-next-signature'?: components['parameters']['x-hookline-next-signature']
        }
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            data: components['schemas']['rcs_data']
            /** @constant */
            webhook_event: 'rcs'
            /** Format: date-time */
            webhook_timestamp: string
          }
          'application/x-www-form-urlencoded': {
            data: components['schemas']['rcs_data']
            /** @constant */
            webhook_event: 'rcs'
            /** Format: date-time */
            webhook_timestamp: string
          }
        }
      }
      responses: {
        /** @description Received. Any other status is a failure and is retried. */
        '2XX': {
          headers: {
            [name: string]: unknown
          }
          content?: never
        }
      }
    }
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  sms_mo: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * An event of type sms_mo, with GET
     * @description Sent to webhooks with the request method `GET`. The fields of `data` are in the query: `?id=77001&sender=491700000001&system=491700000002&text=Hello+from+Hookline&time=1763197200&message_type=SMS&webhook_event=sms_mo&webhook_timestamp=2026-11-15T09%3A30%3A00%2B00%3A00`
     */
    get: {
      parameters: {
        query: {
          /** @description Each field of the data is a parameter of its own. */
          data: components['schemas']['sms_mo_data']
          webhook_event: 'sms_mo'
          webhook_timestamp: string
        }
        header: {
          /** @description Id of the event; the same on every attempt and for every webhook. Use it to detect duplicates. */
          'webhook-id': components['parameters']['webhook-id']
          /** @description Time of this attempt in Unix seconds. */
          'webhook-timestamp': components['parameters']['webhook-timestamp']
          /** @description `v1,` and the Base64 of the HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}` with the secret of the webhook. For a GET, the body is the raw query string. Two signatures, separated by a space, for 24 hours after a rotation. */
          'webhook-signature': components['parameters']['webhook-signature']
          /** @description Id of the webhook. */
          'x-hookline-hook': components['parameters']['x-hookline-hook']
          /** @description Number of the attempt, from 1. */
          'x-hookline-attempt': components['parameters']['x-hookline-attempt']
          /** @description Only in a replay: 1 for the first replay, then 2. */
          'x-hookline-replay'?: components['parameters']['x-hookline-replay']
          /** @description `1` on a test event. */
          'x-hookline-test'?: components['parameters']['x-hookline-test']
          /** @description With the option `trace_header`: the trace of the event, in the format of W3C Trace Context. */
          traceparent?: components['parameters']['traceparent']
          /** @description The older signature: hexadecimal HMAC-SHA-256 with the signing key of the account, over timestamp, nonce, method, registered URL and MD5 of the body, joined by line feeds. */
          'x-signature': components['parameters']['x-signature']
          /** @description Time in the older signature, in Unix seconds. */
          'x-timestamp': components['parameters']['x-timestamp']
          /** @description Random text in the older signature. */
          'x-nonce': components['parameters']['x-nonce']
          /** @description During a rotation of the signing key: the older signature with the next key. */
          'x-hookline-next-signature'?: components['parameters']['x-hookline-next-signature']
        }
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        /** @description Received. Any other status is a failure and is retried. */
        '2XX': {
          headers: {
            [name: string]: unknown
          }
          content?: never
        }
      }
    }
    put?: never
    /**
     * An event of type sms_mo
     * @description Sent to webhooks of this type or `all`, with the request method `JSON` or `POST`. Any 2xx response confirms the delivery.
     */
    post: {
      parameters: {
        query?: never
        header: {
          /** @description Id of the event; the same on every attempt and for every webhook. Use it to detect duplicates. */
          'webhook-id': components['parameters']['webhook-id']
          /** @description Time of this attempt in Unix seconds. */
          'webhook-timestamp': components['parameters']['webhook-timestamp']
          /** @description `v1,` and the Base64 of the HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}` with the secret of the webhook. For a GET, the body is the raw query string. Two signatures, separated by a space, for 24 hours after a rotation. */
          'webhook-signature': components['parameters']['webhook-signature']
          /** @description Id of the webhook. */
          'x-hookline-hook': components['parameters']['x-hookline-hook']
          /** @description Number of the attempt, from 1. */
          'x-hookline-attempt': components['parameters']['x-hookline-attempt']
          /** @description Only in a replay: 1 for the first replay, then 2. */
          'x-hookline-replay'?: components['parameters']['x-hookline-replay']
          /** @description `1` on a test event. */
          'x-hookline-test'?: components['parameters']['x-hookline-test']
          /** @description With the option `trace_header`: the trace of the event, in the format of W3C Trace Context. */
          traceparent?: components['parameters']['traceparent']
          /** @description The older signature: hexadecimal HMAC-SHA-256 with the signing key of the account, over timestamp, nonce, method, registered URL and MD5 of the body, joined by line feeds. */
          'x-signature': components['parameters']['x-signature']
          /** @description Time in the older signature, in Unix seconds. */
          'x-timestamp': components['parameters']['x-timestamp']
          /** @description Random text in the older signature. */
          'x-nonce': components['parameters']['x-nonce']
          /** @description During a rotation of the signing key: the older signature with the next key. */
          'x-hookline-next-signature'?: components['parameters']['x-hookline-next-signature']
        }
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            data: components['schemas']['sms_mo_data']
            /** @constant */
            webhook_event: 'sms_mo'
            /** Format: date-time */
            webhook_timestamp: string
          }
          'application/x-www-form-urlencoded': {
            data: components['schemas']['sms_mo_data']
            /** @constant */
            webhook_event: 'sms_mo'
            /** Format: date-time */
            webhook_timestamp: string
          }
        }
      }
      responses: {
        /** @description Received. Any other status is a failure and is retried. */
        '2XX': {
          headers: {
            [name: string]: unknown
          }
          content?: never
        }
      }
    }
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  dlr: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * An event of type dlr, with GET
     * @description Sent to webhooks with the request method `GET`. The fields of `data` are in the query: `?msg_id=77002&status=DELIVERED&timestamp=2025-11-15+09%3A00%3A00.000000&foreign_id=order-1001&webhook_event=dlr&webhook_timestamp=2026-11-15T09%3A30%3A00%2B00%3A00`
     */
    get: {
      parameters: {
        query: {
          /** @description Each field of the data is a parameter of its own. */
          data: components['schemas']['dlr_data']
          webhook_event: 'dlr'
          webhook_timestamp: string
        }
        header: {
          /** @description Id of the event; the same on every attempt and for every webhook. Use it to detect duplicates. */
          'webhook-id': components['parameters']['webhook-id']
          /** @description Time of this attempt in Unix seconds. */
          'webhook-timestamp': components['parameters']['webhook-timestamp']
          /** @description `v1,` and the Base64 of the HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}` with the secret of the webhook. For a GET, the body is the raw query string. Two signatures, separated by a space, for 24 hours after a rotation. */
          'webhook-signature': components['parameters']['webhook-signature']
          /** @description Id of the webhook. */
          'x-hookline-hook': components['parameters']['x-hookline-hook']
          /** @description Number of the attempt, from 1. */
          'x-hookline-attempt': components['parameters']['x-hookline-attempt']
          /** @description Only in a replay: 1 for the first replay, then 2. */
          'x-hookline-replay'?: components['parameters']['x-hookline-replay']
          /** @description `1` on a test event. */
          'x-hookline-test'?: components['parameters']['x-hookline-test']
          /** @description With the option `trace_header`: the trace of the event, in the format of W3C Trace Context. */
          traceparent?: components['parameters']['traceparent']
          /** @description The older signature: hexadecimal HMAC-SHA-256 with the signing key of the account, over timestamp, nonce, method, registered URL and MD5 of the body, joined by line feeds. */
          'x-signature': components['parameters']['x-signature']
          /** @description Time in the older signature, in Unix seconds. */
          'x-timestamp': components['parameters']['x-timestamp']
          /** @description Random text in the older signature. */
          'x-nonce': components['parameters']['x-nonce']
          /** @description During a rotation of the signing key: the older signature with the next key. */
          'x-hookline-next-signature'?: components['parameters']['x-hookline-next-signature']
        }
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        /** @description Received. Any other status is a failure and is retried. */
        '2XX': {
          headers: {
            [name: string]: unknown
          }
          content?: never
        }
      }
    }
    put?: never
    /**
     * An event of type dlr
     * @description Sent to webhooks of this type or `all`, with the request method `JSON` or `POST`. Any 2xx response confirms the delivery.
     */
    post: {
      parameters: {
        query?: never
        header: {
          /** @description Id of the event; the same on every attempt and for every webhook. Use it to detect duplicates. */
          'webhook-id': components['parameters']['webhook-id']
          /** @description Time of this attempt in Unix seconds. */
          'webhook-timestamp': components['parameters']['webhook-timestamp']
          /** @description `v1,` and the Base64 of the HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}` with the secret of the webhook. For a GET, the body is the raw query string. Two signatures, separated by a space, for 24 hours after a rotation. */
          'webhook-signature': components['parameters']['webhook-signature']
          /** @description Id of the webhook. */
          'x-hookline-hook': components['parameters']['x-hookline-hook']
          /** @description Number of the attempt, from 1. */
          'x-hookline-attempt': components['parameters']['x-hookline-attempt']
          /** @description Only in a replay: 1 for the first replay, then 2. */
          'x-hookline-replay'?: components['parameters']['x-hookline-replay']
          /** @description `1` on a test event. */
          'x-hookline-test'?: components['parameters']['x-hookline-test']
          /** @description With the option `trace_header`: the trace of the event, in the format of W3C Trace Context. */
          traceparent?: components['parameters']['traceparent']
          /** @description The older signature: hexadecimal HMAC-SHA-256 with the signing key of the account, over timestamp, nonce, method, registered URL and MD5 of the body, joined by line feeds. */
          'x-signature': components['parameters']['x-signature']
          /** @description Time in the older signature, in Unix seconds. */
          'x-timestamp': components['parameters']['x-timestamp']
          /** @description Random text in the older signature. */
          'x-nonce': components['parameters']['x-nonce']
          /** @description During a rotation of the signing key: the older signature with the next key. */
          'x-hookline-next-signature'?: components['parameters']['x-hookline-next-signature']
        }
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            data: components['schemas']['dlr_data']
            /** @constant */
            webhook_event: 'dlr'
            /** Format: date-time */
            webhook_timestamp: string
          }
          'application/x-www-form-urlencoded': {
            data: components['schemas']['dlr_data']
            /** @constant */
            webhook_event: 'dlr'
            /** Format: date-time */
            webhook_timestamp: string
          }
        }
      }
      responses: {
        /** @description Received. Any other status is a failure and is retried. */
        '2XX': {
          headers: {
            [name: string]: unknown
          }
          content?: never
        }
      }
    }
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  voice_call: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * An event of type voice_call, with GET
     * @description Sent to webhooks with the request method `GET`. The fields of `data` are in the query: `?id=77003&caller=491700000001&system=491700000002&time=1763197200&webhook_event=voice_call&webhook_timestamp=2026-11-15T09%3A30%3A00%2B00%3A00`
     */
    get: {
      parameters: {
        query: {
          /** @description Each field of the data is a parameter of its own. */
          data: components['schemas']['voice_call_data']
          webhook_event: 'voice_call'
          webhook_timestamp: string
        }
        header: {
          /** @description Id of the event; the same on every attempt and for every webhook. Use it to detect duplicates. */
          'webhook-id': components['parameters']['webhook-id']
          /** @description Time of this attempt in Unix seconds. */
          'webhook-timestamp': components['parameters']['webhook-timestamp']
          /** @description `v1,` and the Base64 of the HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}` with the secret of the webhook. For a GET, the body is the raw query string. Two signatures, separated by a space, for 24 hours after a rotation. */
          'webhook-signature': components['parameters']['webhook-signature']
          /** @description Id of the webhook. */
          'x-hookline-hook': components['parameters']['x-hookline-hook']
          /** @description Number of the attempt, from 1. */
          'x-hookline-attempt': components['parameters']['x-hookline-attempt']
          /** @description Only in a replay: 1 for the first replay, then 2. */
          'x-hookline-replay'?: components['parameters']['x-hookline-replay']
          /** @description `1` on a test event. */
          'x-hookline-test'?: components['parameters']['x-hookline-test']
          /** @description With the option `trace_header`: the trace of the event, in the format of W3C Trace Context. */
          traceparent?: components['parameters']['traceparent']
          /** @description The older signature: hexadecimal HMAC-SHA-256 with the signing key of the account, over timestamp, nonce, method, registered URL and MD5 of the body, joined by line feeds. */
          'x-signature': components['parameters']['x-signature']
          /** @description Time in the older signature, in Unix seconds. */
          'x-timestamp': components['parameters']['x-timestamp']
          /** @description Random text in the older signature. */
          'x-nonce': components['parameters']['x-nonce']
          /** @description During a rotation of the signing key: the older signature with the next key. */
          'x-hookline-next-signature'?: components['parameters']['x-hookline-next-signature']
        }
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        /** @description Received. Any other status is a failure and is retried. */
        '2XX': {
          headers: {
            [name: string]: unknown
          }
          content?: never
        }
      }
    }
    put?: never
    /**
     * An event of type voice_call
     * @description Sent to webhooks of this type or `all`, with the request method `JSON` or `POST`. Any 2xx response confirms the delivery.
     */
    post: {
      parameters: {
        query?: never
        header: {
          /** @description Id of the event; the same on every attempt and for every webhook. Use it to detect duplicates. */
          'webhook-id': components['parameters']['webhook-id']
          /** @description Time of this attempt in Unix seconds. */
          'webhook-timestamp': components['parameters']['webhook-timestamp']
          /** @description `v1,` and the Base64 of the HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}` with the secret of the webhook. For a GET, the body is the raw query string. Two signatures, separated by a space, for 24 hours after a rotation. */
          'webhook-signature': components['parameters']['webhook-signature']
          /** @description Id of the webhook. */
          'x-hookline-hook': components['parameters']['x-hookline-hook']
          /** @description Number of the attempt, from 1. */
          'x-hookline-attempt': components['parameters']['x-hookline-attempt']
          /** @description Only in a replay: 1 for the first replay, then 2. */
          'x-hookline-replay'?: components['parameters']['x-hookline-replay']
          /** @description `1` on a test event. */
          'x-hookline-test'?: components['parameters']['x-hookline-test']
          /** @description With the option `trace_header`: the trace of the event, in the format of W3C Trace Context. */
          traceparent?: components['parameters']['traceparent']
          /** @description The older signature: hexadecimal HMAC-SHA-256 with the signing key of the account, over timestamp, nonce, method, registered URL and MD5 of the body, joined by line feeds. */
          'x-signature': components['parameters']['x-signature']
          /** @description Time in the older signature, in Unix seconds. */
          'x-timestamp': components['parameters']['x-timestamp']
          /** @description Random text in the older signature. */
          'x-nonce': components['parameters']['x-nonce']
          /** @description During a rotation of the signing key: the older signature with the next key. */
          'x-hookline-next-signature'?: components['parameters']['x-hookline-next-signature']
        }
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            data: components['schemas']['voice_call_data']
            /** @constant */
            webhook_event: 'voice_call'
            /** Format: date-time */
            webhook_timestamp: string
          }
          'application/x-www-form-urlencoded': {
            data: components['schemas']['voice_call_data']
            /** @constant */
            webhook_event: 'voice_call'
            /** Format: date-time */
            webhook_timestamp: string
          }
        }
      }
      responses: {
        /** @description Received. Any other status is a failure and is retried. */
        '2XX': {
          headers: {
            [name: string]: unknown
          }
          content?: never
        }
      }
    }
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  voice_status: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * An event of type voice_status, with GET
     * @description Sent to webhooks with the request method `GET`. The fields of `data` are in the query: `?id=77004&callerId=491700000002&recipient=491700000001&duration=42&pricePerMinute=0.045&status=completed&timestamp=1763197200&webhook_event=voice_status&webhook_timestamp=2026-11-15T09%3A30%3A00%2B00%3A00`
     */
    get: {
      parameters: {
        query: {
          /** @description Each field of the data is a parameter of its own. */
          data: components['schemas']['voice_status_data']
          webhook_event: 'voice_status'
          webhook_timestamp: string
        }
        header: {
          /** @description Id of the event; the same on every attempt and for every webhook. Use it to detect duplicates. */
          'webhook-id': components['parameters']['webhook-id']
          /** @description Time of this attempt in Unix seconds. */
          'webhook-timestamp': components['parameters']['webhook-timestamp']
          /** @description `v1,` and the Base64 of the HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}` with the secret of the webhook. For a GET, the body is the raw query string. Two signatures, separated by a space, for 24 hours after a rotation. */
          'webhook-signature': components['parameters']['webhook-signature']
          /** @description Id of the webhook. */
          'x-hookline-hook': components['parameters']['x-hookline-hook']
          /** @description Number of the attempt, from 1. */
          'x-hookline-attempt': components['parameters']['x-hookline-attempt']
          /** @description Only in a replay: 1 for the first replay, then 2. */
          'x-hookline-replay'?: components['parameters']['x-hookline-replay']
          /** @description `1` on a test event. */
          'x-hookline-test'?: components['parameters']['x-hookline-test']
          /** @description With the option `trace_header`: the trace of the event, in the format of W3C Trace Context. */
          traceparent?: components['parameters']['traceparent']
          /** @description The older signature: hexadecimal HMAC-SHA-256 with the signing key of the account, over timestamp, nonce, method, registered URL and MD5 of the body, joined by line feeds. */
          'x-signature': components['parameters']['x-signature']
          /** @description Time in the older signature, in Unix seconds. */
          'x-timestamp': components['parameters']['x-timestamp']
          /** @description Random text in the older signature. */
          'x-nonce': components['parameters']['x-nonce']
          /** @description During a rotation of the signing key: the older signature with the next key. */
          'x-hookline-next-signature'?: components['parameters']['x-hookline-next-signature']
        }
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        /** @description Received. Any other status is a failure and is retried. */
        '2XX': {
          headers: {
            [name: string]: unknown
          }
          content?: never
        }
      }
    }
    put?: never
    /**
     * An event of type voice_status
     * @description Sent to webhooks of this type or `all`, with the request method `JSON` or `POST`. Any 2xx response confirms the delivery.
     */
    post: {
      parameters: {
        query?: never
        header: {
          /** @description Id of the event; the same on every attempt and for every webhook. Use it to detect duplicates. */
          'webhook-id': components['parameters']['webhook-id']
          /** @description Time of this attempt in Unix seconds. */
          'webhook-timestamp': components['parameters']['webhook-timestamp']
          /** @description `v1,` and the Base64 of the HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}` with the secret of the webhook. For a GET, the body is the raw query string. Two signatures, separated by a space, for 24 hours after a rotation. */
          'webhook-signature': components['parameters']['webhook-signature']
          /** @description Id of the webhook. */
          'x-hookline-hook': components['parameters']['x-hookline-hook']
          /** @description Number of the attempt, from 1. */
          'x-hookline-attempt': components['parameters']['x-hookline-attempt']
          /** @description Only in a replay: 1 for the first replay, then 2. */
          'x-hookline-replay'?: components['parameters']['x-hookline-replay']
          /** @description `1` on a test event. */
          'x-hookline-test'?: components['parameters']['x-hookline-test']
          /** @description With the option `trace_header`: the trace of the event, in the format of W3C Trace Context. */
          traceparent?: components['parameters']['traceparent']
          /** @description The older signature: hexadecimal HMAC-SHA-256 with the signing key of the account, over timestamp, nonce, method, registered URL and MD5 of the body, joined by line feeds. */
          'x-signature': components['parameters']['x-signature']
          /** @description Time in the older signature, in Unix seconds. */
          'x-timestamp': components['parameters']['x-timestamp']
          /** @description Random text in the older signature. */
          'x-nonce': components['parameters']['x-nonce']
          /** @description During a rotation of the signing key: the older signature with the next key. */
          'x-hookline-next-signature'?: components['parameters']['x-hookline-next-signature']
        }
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            data: components['schemas']['voice_status_data']
            /** @constant */
            webhook_event: 'voice_status'
            /** Format: date-time */
            webhook_timestamp: string
          }
          'application/x-www-form-urlencoded': {
            data: components['schemas']['voice_status_data']
            /** @constant */
            webhook_event: 'voice_status'
            /** Format: date-time */
            webhook_timestamp: string
          }
        }
      }
      responses: {
        /** @description Received. Any other status is a failure and is retried. */
        '2XX': {
          headers: {
            [name: string]: unknown
          }
          content?: never
        }
      }
    }
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  voice_dtmf: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * An event of type voice_dtmf, with GET
     * @description Sent to webhooks with the request method `GET`. The fields of `data` are in the query: `?id=77005&callerId=491700000002&recipient=491700000001&system=491700000002&dtmf_digit=5&duration=12&pricePerMinute=0.045&total_price=0.045&status=in-progress&timestamp=1763197200&webhook_event=voice_dtmf&webhook_timestamp=2026-11-15T09%3A30%3A00%2B00%3A00`
     */
    get: {
      parameters: {
        query: {
          /** @description Each field of the data is a parameter of its own. */
          data: components['schemas']['voice_dtmf_data']
          webhook_event: 'voice_dtmf'
          webhook_timestamp: string
        }
        header: {
          /** @description Id of the event; the same on every attempt and for every webhook. Use it to detect duplicates. */
          'webhook-id': components['parameters']['webhook-id']
          /** @description Time of this attempt in Unix seconds. */
          'webhook-timestamp': components['parameters']['webhook-timestamp']
          /** @description `v1,` and the Base64 of the HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}` with the secret of the webhook. For a GET, the body is the raw query string. Two signatures, separated by a space, for 24 hours after a rotation. */
          'webhook-signature': components['parameters']['webhook-signature']
          /** @description Id of the webhook. */
          'x-hookline-hook': components['parameters']['x-hookline-hook']
          /** @description Number of the attempt, from 1. */
          'x-hookline-attempt': components['parameters']['x-hookline-attempt']
          /** @description Only in a replay: 1 for the first replay, then 2. */
          'x-hookline-replay'?: components['parameters']['x-hookline-replay']
          /** @description `1` on a test event. */
          'x-hookline-test'?: components['parameters']['x-hookline-test']
          /** @description With the option `trace_header`: the trace of the event, in the format of W3C Trace Context. */
          traceparent?: components['parameters']['traceparent']
          /** @description The older signature: hexadecimal HMAC-SHA-256 with the signing key of the account, over timestamp, nonce, method, registered URL and MD5 of the body, joined by line feeds. */
          'x-signature': components['parameters']['x-signature']
          /** @description Time in the older signature, in Unix seconds. */
          'x-timestamp': components['parameters']['x-timestamp']
          /** @description Random text in the older signature. */
          'x-nonce': components['parameters']['x-nonce']
          /** @description During a rotation of the signing key: the older signature with the next key. */
          'x-hookline-next-signature'?: components['parameters']['x-hookline-next-signature']
        }
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        /** @description Received. Any other status is a failure and is retried. */
        '2XX': {
          headers: {
            [name: string]: unknown
          }
          content?: never
        }
      }
    }
    put?: never
    /**
     * An event of type voice_dtmf
     * @description Sent to webhooks of this type or `all`, with the request method `JSON` or `POST`. Any 2xx response confirms the delivery.
     */
    post: {
      parameters: {
        query?: never
        header: {
          /** @description Id of the event; the same on every attempt and for every webhook. Use it to detect duplicates. */
          'webhook-id': components['parameters']['webhook-id']
          /** @description Time of this attempt in Unix seconds. */
          'webhook-timestamp': components['parameters']['webhook-timestamp']
          /** @description `v1,` and the Base64 of the HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}` with the secret of the webhook. For a GET, the body is the raw query string. Two signatures, separated by a space, for 24 hours after a rotation. */
          'webhook-signature': components['parameters']['webhook-signature']
          /** @description Id of the webhook. */
          'x-hookline-hook': components['parameters']['x-hookline-hook']
          /** @description Number of the attempt, from 1. */
          'x-hookline-attempt': components['parameters']['x-hookline-attempt']
          /** @description Only in a replay: 1 for the first replay, then 2. */
          'x-hookline-replay'?: components['parameters']['x-hookline-replay']
          /** @description `1` on a test event. */
          'x-hookline-test'?: components['parameters']['x-hookline-test']
          /** @description With the option `trace_header`: the trace of the event, in the format of W3C Trace Context. */
          traceparent?: components['parameters']['traceparent']
          /** @description The older signature: hexadecimal HMAC-SHA-256 with the signing key of the account, over timestamp, nonce, method, registered URL and MD5 of the body, joined by line feeds. */
          'x-signature': components['parameters']['x-signature']
          /** @description Time in the older signature, in Unix seconds. */
          'x-timestamp': components['parameters']['x-timestamp']
          /** @description Random text in the older signature. */
          'x-nonce': components['parameters']['x-nonce']
          /** @description During a rotation of the signing key: the older signature with the next key. */
          'x-hookline-next-signature'?: components['parameters']['x-hookline-next-signature']
        }
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            data: components['schemas']['voice_dtmf_data']
            /** @constant */
            webhook_event: 'voice_dtmf'
            /** Format: date-time */
            webhook_timestamp: string
          }
          'application/x-www-form-urlencoded': {
            data: components['schemas']['voice_dtmf_data']
            /** @constant */
            webhook_event: 'voice_dtmf'
            /** Format: date-time */
            webhook_timestamp: string
          }
        }
      }
      responses: {
        /** @description Received. Any other status is a failure and is retried. */
        '2XX': {
          headers: {
            [name: string]: unknown
          }
          content?: never
        }
      }
    }
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  tracking: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * An event of type tracking, with GET
     * @description Sent to webhooks with the request method `GET`. The fields of `data` are in the query: `?type=click&sms_id=77006&sms_label=newsletter&tracking_url=https%3A%2F%2Fexample.com%2Ft%2Fabc&final_url=https%3A%2F%2Fexample.com%2Foffer&total_clicks=1&total_views=2&webhook_event=tracking&webhook_timestamp=2026-11-15T09%3A30%3A00%2B00%3A00`
     */
    get: {
      parameters: {
        query: {
          /** @description Each field of the data is a parameter of its own. */
          data: components['schemas']['tracking_data']
          webhook_event: 'tracking'
          webhook_timestamp: string
        }
        header: {
          /** @description Id of the event; the same on every attempt and for every webhook. Use it to detect duplicates. */
          'webhook-id': components['parameters']['webhook-id']
          /** @description Time of this attempt in Unix seconds. */
          'webhook-timestamp': components['parameters']['webhook-timestamp']
          /** @description `v1,` and the Base64 of the HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}` with the secret of the webhook. For a GET, the body is the raw query string. Two signatures, separated by a space, for 24 hours after a rotation. */
          'webhook-signature': components['parameters']['webhook-signature']
          /** @description Id of the webhook. */
          'x-hookline-hook': components['parameters']['x-hookline-hook']
          /** @description Number of the attempt, from 1. */
          'x-hookline-attempt': components['parameters']['x-hookline-attempt']
          /** @description Only in a replay: 1 for the first replay, then 2. */
          'x-hookline-replay'?: components['parameters']['x-hookline-replay']
          /** @description `1` on a test event. */
          'x-hookline-test'?: components['parameters']['x-hookline-test']
          /** @description With the option `trace_header`: the trace of the event, in the format of W3C Trace Context. */
          traceparent?: components['parameters']['traceparent']
          /** @description The older signature: hexadecimal HMAC-SHA-256 with the signing key of the account, over timestamp, nonce, method, registered URL and MD5 of the body, joined by line feeds. */
          'x-signature': components['parameters']['x-signature']
          /** @description Time in the older signature, in Unix seconds. */
          'x-timestamp': components['parameters']['x-timestamp']
          /** @description Random text in the older signature. */
          'x-nonce': components['parameters']['x-nonce']
          /** @description During a rotation of the signing key: the older signature with the next key. */
          'x-hookline-next-signature'?: components['parameters']['x-hookline-next-signature']
        }
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        /** @description Received. Any other status is a failure and is retried. */
        '2XX': {
          headers: {
            [name: string]: unknown
          }
          content?: never
        }
      }
    }
    put?: never
    /**
     * An event of type tracking
     * @description Sent to webhooks of this type or `all`, with the request method `JSON` or `POST`. Any 2xx response confirms the delivery.
     */
    post: {
      parameters: {
        query?: never
        header: {
          /** @description Id of the event; the same on every attempt and for every webhook. Use it to detect duplicates. */
          'webhook-id': components['parameters']['webhook-id']
          /** @description Time of this attempt in Unix seconds. */
          'webhook-timestamp': components['parameters']['webhook-timestamp']
          /** @description `v1,` and the Base64 of the HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}` with the secret of the webhook. For a GET, the body is the raw query string. Two signatures, separated by a space, for 24 hours after a rotation. */
          'webhook-signature': components['parameters']['webhook-signature']
          /** @description Id of the webhook. */
          'x-hookline-hook': components['parameters']['x-hookline-hook']
          /** @description Number of the attempt, from 1. */
          'x-hookline-attempt': components['parameters']['x-hookline-attempt']
          /** @description Only in a replay: 1 for the first replay, then 2. */
          'x-hookline-replay'?: components['parameters']['x-hookline-replay']
          /** @description `1` on a test event. */
          'x-hookline-test'?: components['parameters']['x-hookline-test']
          /** @description With the option `trace_header`: the trace of the event, in the format of W3C Trace Context. */
          traceparent?: components['parameters']['traceparent']
          /** @description The older signature: hexadecimal HMAC-SHA-256 with the signing key of the account, over timestamp, nonce, method, registered URL and MD5 of the body, joined by line feeds. */
          'x-signature': components['parameters']['x-signature']
          /** @description Time in the older signature, in Unix seconds. */
          'x-timestamp': components['parameters']['x-timestamp']
          /** @description Random text in the older signature. */
          'x-nonce': components['parameters']['x-nonce']
          /** @description During a rotation of the signing key: the older signature with the next key. */
          'x-hookline-next-signature'?: components['parameters']['x-hookline-next-signature']
        }
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            data: components['schemas']['tracking_data']
            /** @constant */
            webhook_event: 'tracking'
            /** Format: date-time */
            webhook_timestamp: string
          }
          'application/x-www-form-urlencoded': {
            data: components['schemas']['tracking_data']
            /** @constant */
            webhook_event: 'tracking'
            /** Format: date-time */
            webhook_timestamp: string
          }
        }
      }
      responses: {
        /** @description Received. Any other status is a failure and is retried. */
        '2XX': {
          headers: {
            [name: string]: unknown
          }
          content?: never
        }
      }
    }
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  wa_mo: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * An event of type wa_mo, with GET
     * @description Sent to webhooks with the request method `GET`. The fields of `data` are in the query: `?id=77009&sender=491700000001&system=491700000002&time=1763197200&text=Hello+from+Hookline&webhook_event=wa_mo&webhook_timestamp=2026-11-15T09%3A30%3A00%2B00%3A00`
     */
    get: {
      parameters: {
        query: {
          /** @description Each field of the data is a parameter of its own. */
          data: components['schemas']['wa_mo_data']
          webhook_event: 'wa_mo'
          webhook_timestamp: string
        }
        header: {
          /** @description Id of the event; the same on every attempt and for every webhook. Use it to detect duplicates. */
          'webhook-id': components['parameters']['webhook-id']
          /** @description Time of this attempt in Unix seconds. */
          'webhook-timestamp': components['parameters']['webhook-timestamp']
          /** @description `v1,` and the Base64 of the HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}` with the secret of the webhook. For a GET, the body is the raw query string. Two signatures, separated by a space, for 24 hours after a rotation. */
          'webhook-signature': components['parameters']['webhook-signature']
          /** @description Id of the webhook. */
          'x-hookline-hook': components['parameters']['x-hookline-hook']
          /** @description Number of the attempt, from 1. */
          'x-hookline-attempt': components['parameters']['x-hookline-attempt']
          /** @description Only in a replay: 1 for the first replay, then 2. */
          'x-hookline-replay'?: components['parameters']['x-hookline-replay']
          /** @description `1` on a test event. */
          'x-hookline-test'?: components['parameters']['x-hookline-test']
          /** @description With the option `trace_header`: the trace of the event, in the format of W3C Trace Context. */
          traceparent?: components['parameters']['traceparent']
          /** @description The older signature: hexadecimal HMAC-SHA-256 with the signing key of the account, over timestamp, nonce, method, registered URL and MD5 of the body, joined by line feeds. */
          'x-signature': components['parameters']['x-signature']
          /** @description Time in the older signature, in Unix seconds. */
          'x-timestamp': components['parameters']['x-timestamp']
          /** @description Random text in the older signature. */
          'x-nonce': components['parameters']['x-nonce']
          /** @description During a rotation of the signing key: the older signature with the next key. */
          'x-hookline-next-signature'?: components['parameters']['x-hookline-next-signature']
        }
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        /** @description Received. Any other status is a failure and is retried. */
        '2XX': {
          headers: {
            [name: string]: unknown
          }
          content?: never
        }
      }
    }
    put?: never
    /**
     * An event of type wa_mo
     * @description Sent to webhooks of this type or `all`, with the request method `JSON` or `POST`. Any 2xx response confirms the delivery.
     */
    post: {
      parameters: {
        query?: never
        header: {
          /** @description Id of the event; the same on every attempt and for every webhook. Use it to detect duplicates. */
          'webhook-id': components['parameters']['webhook-id']
          /** @description Time of this attempt in Unix seconds. */
          'webhook-timestamp': components['parameters']['webhook-timestamp']
          /** @description `v1,` and the Base64 of the HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}` with the secret of the webhook. For a GET, the body is the raw query string. Two signatures, separated by a space, for 24 hours after a rotation. */
          'webhook-signature': components['parameters']['webhook-signature']
          /** @description Id of the webhook. */
          'x-hookline-hook': components['parameters']['x-hookline-hook']
          /** @description Number of the attempt, from 1. */
          'x-hookline-attempt': components['parameters']['x-hookline-attempt']
          /** @description Only in a replay: 1 for the first replay, then 2. */
          'x-hookline-replay'?: components['parameters']['x-hookline-replay']
          /** @description `1` on a test event. */
          'x-hookline-test'?: components['parameters']['x-hookline-test']
          /** @description With the option `trace_header`: the trace of the event, in the format of W3C Trace Context. */
          traceparent?: components['parameters']['traceparent']
          /** @description The older signature: hexadecimal HMAC-SHA-256 with the signing key of the account, over timestamp, nonce, method, registered URL and MD5 of the body, joined by line feeds. */
          'x-signature': components['parameters']['x-signature']
          /** @description Time in the older signature, in Unix seconds. */
          'x-timestamp': components['parameters']['x-timestamp']
          /** @description Random text in the older signature. */
          'x-nonce': components['parameters']['x-nonce']
          /** @description During a rotation of the signing key: the older signature with the next key. */
          'x-hookline-next-signature'?: components['parameters']['x-hookline-next-signature']
        }
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            data: components['schemas']['wa_mo_data']
            /** @constant */
            webhook_event: 'wa_mo'
            /** Format: date-time */
            webhook_timestamp: string
          }
          'application/x-www-form-urlencoded': {
            data: components['schemas']['wa_mo_data']
            /** @constant */
            webhook_event: 'wa_mo'
            /** Format: date-time */
            webhook_timestamp: string
          }
        }
      }
      responses: {
        /** @description Received. Any other status is a failure and is retried. */
        '2XX': {
          headers: {
            [name: string]: unknown
          }
          content?: never
        }
      }
    }
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
}
export interface components {
  schemas: {
    Error: {
      /** @constant */
      success: false
      /** @enum {integer} */
      code:
        | 900
        | 901
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
        | 913
        | 914
        | 915
        | 920
        | 921
        | 922
        | 1000
        | 1001
        | 1002
        | 1003
        | 1010
        | 1011
        | 1012
        | 1013
        | 1014
        | 1015
        | 1020
        | 1021
        | 1022
        | 1100
        | 1101
        | 1102
        | 1103
        | 1104
        | 1105
        | 1106
        | 1107
        | 1108
        | 1109
        | 1112
        | 1113
        | 1114
        | 1115
        | 1116
        | 1110
        | 1111
        | 1120
        | 1121
        | 1130
        | 1131
        | 1140
        | 1141
        | 1142
        | 1143
        | 1200
        | 1201
        | 1202
        | 1203
        | 1204
        | 1205
        | 1206
        | 1207
        | 1208
        | 1209
        | 1210
        | 1211
        | 1212
        | 1213
        | 1300
        | 1301
      /** @description What is wrong and how to fix it. */
      error_message: string
      /** @description The parameter at fault, if there is one. Absent for calls of `/api/hooks`. */
      field?: string
      /** @description Data about the error, if there is any. Absent for calls of `/api/hooks`. */
      details?: {
        /** @description The limit that was reached. */
        limit?: number
        /** @description Largest valid value or length of the parameter. */
        max?: number
        /** @description Ids of existing objects that conflict with the call. */
        ids?: number[]
        /** @description Valid values of the parameter, or allowed methods. */
        allowed?: string[]
        /** @description Where the mistake starts in the text of the parameter, in UTF-16 code units. */
        index?: number
        /** @description Length of the mistake, in UTF-16 code units. */
        length?: number
        /** @description Options for a passkey as second factor. Only at a sign-in. */
        passkey_options?: components['schemas']['PasskeyRequestOptions']
        /** @description Connection for single sign-on, for `POST /api/session/sso`. */
        connection?: string
      }
    }
    Webhook: {
      /**
       * @description Id of the webhook, here as a string.
       * @example 2045
       */
      id: string
      /**
       * @description Endpoint URL, exactly as registered.
       * @example https://example.com/webhooks
       */
      target_url: string
      /** @description Custom headers, separated by line feeds. Empty without headers. */
      headers: string
      /**
       * @description Event type. `rcs` also for `rcs_mo` and `rcs_dlr`.
       * @example all
       * @example rcs
       * @example sms_mo
       * @example dlr
       * @example voice_call
       * @example voice_status
       * @example voice_dtmf
       * @example tracking
       * @example wa_mo
       */
      event_type: string
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
      name: string | null
      description: string | null
      /** @description Endpoint URL, exactly as registered. */
      target_url: string
      /** @description Host and path of the endpoint URL, to show for a webhook without a name. */
      endpoint: string
      /** @description The name that the webhook was registered with. */
      event_type: string
      event_filter: string | null
      /** @description The parameters `event_types` and `event_filter`, if the filter is such a list of types. Otherwise null. */
      chosen: {
        event_types: string[]
        event_filter: string | null
      } | null
      /** @enum {string} */
      request_method: 'POST' | 'GET' | 'JSON'
      /** @description Custom headers, separated by line feeds. Empty without headers. */
      headers: string
      enabled: boolean
      /** @description Null for an enabled webhook. */
      disabled_reason: components['schemas']['DisabledReason'] | null
      /** @description Max deliveries per second. Null for no limit. */
      max_per_second: number | null
      /**
       * @description Fields of a form, for `request_method` POST: `nested` (`data[sender]`) or `flat` (`sender`). Default: `nested`.
       * @enum {string}
       */
      form_fields: 'nested' | 'flat'
      /** @description Whether requests have the header `Accept: *\/*`. A custom `Accept` header replaces it. Default: false. */
      accept_header: boolean
      /** @description Whether requests have the header `traceparent`, which continues the trace of the event. A custom `traceparent` header replaces it. Default: false. */
      trace_header: boolean
      /**
       * @description URL in the `x-signature` of a GET: as `registered`, or the `complete` URL with its query. Default: `registered`.
       * @enum {string}
       */
      signature_url: 'registered' | 'complete'
      /**
       * @description Statuses, attempts and timeout: `standard`, or `original` as in the original service. Default: `standard`.
       * @enum {string}
       */
      retry_policy: 'standard' | 'original'
      /** Format: date-time */
      created_at: string
      /** Format: date-time */
      changed_at: string
    }
    /** @enum {string} */
    DisabledReason: 'owner' | 'operator' | 'failing' | 'gone'
    WebhookHealth: {
      delivered_24h: number
      /** @description Deliveries that failed permanently or expired. */
      failed_24h: number
      waiting: number
      /** @description Deliveries on hold while the webhook is disabled. */
      held: number
      /** @description Deliveries pending for more than 10 minutes since their event was accepted or, in a replay, since they were due. Deliveries on hold are not included. */
      overdue: number
      /** @description Acceptance time of the oldest event with a pending delivery. */
      oldest_waiting_at: string | null
      failing_since: string | null
      next_probe_at: string | null
      /** @description Active operator stop. Deliveries stay pending until it ends. */
      stop: {
        /** @enum {string} */
        scope: 'all' | 'account' | 'hook' | 'host'
        /** @description Reason given by the operator. */
        reason: string
        /** Format: date-time */
        since: string
      } | null
      problem: components['schemas']['WebhookProblem'] | null
      hook_id: number
      /** @enum {string} */
      state:
        | 'healthy'
        | 'degraded'
        | 'failing'
        | 'delayed'
        | 'backing_off'
        | 'disabled'
        | 'idle'
        | 'stopped'
        | 'unloadable'
      /** @description Description of the state. */
      message: string
      attempts_24h: number
      failed_attempts_24h: number
      /** @description From 0 to 1, for the last 24 hours: `delivered_24h` / (`delivered_24h` + `failed_24h` + `overdue`). Null without any of them. */
      success_rate: number | null
      last_attempt_at: string | null
      last_delivered_at: string | null
      /** @enum {string} */
      breaker: 'closed' | 'open' | 'probing'
      receiver_p50_ms: number | null
      receiver_p95_ms: number | null
    }
    /**
     * @description Part of the webhook that cannot be loaded. Deliveries stay pending until the webhook is saved again.
     * @enum {string}
     */
    WebhookProblem: 'filter' | 'headers' | 'target_url' | 'secret' | 'settings'
    /** @description How users know a webhook. A deleted webhook has its last name and endpoint. */
    NamedWebhook: {
      id: number
      name: string | null
      /** @description Host and path of the endpoint URL, to show for a webhook without a name. */
      endpoint: string
      deleted: boolean
    }
    RequestPreview: {
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
      /** @description Why the event does not match. Null for a match. */
      why: string | null
    }
    /** @enum {string} */
    AttemptReason:
      | 'delivered'
      | 'status'
      | 'redirect'
      | 'gone'
      | 'timeout'
      | 'connect_timeout'
      | 'connection_refused'
      | 'connection_reset'
      | 'unreachable'
      | 'tls'
      | 'name_not_found'
      | 'invalid_response'
      | 'protocol_error'
      | 'forbidden_address'
      | 'own_address'
      | 'address_too_long'
      | 'body_too_large'
      | 'resolver_down'
      | 'no_resources'
      | 'internal'
    Attempt: {
      /** Format: uuid */
      event_id: string
      hook_id: number
      round: number
      attempt: number
      /** Format: date-time */
      started_at: string
      reason: components['schemas']['AttemptReason']
      message: string
      hint: string | null
      status: number | null
      phases: {
        dns_ms: number | null
        connect_ms: number | null
        tls_ms: number | null
        first_byte_ms: number | null
        body_ms: number | null
        total_ms: number
      }
      /** @description The request as sent, without signatures and nonce, which are not stored. */
      request: {
        method: string
        url: string
        headers: {
          name: string
          value: string
        }[]
        body: string
        /** @description The response contains at most 4 MiB of requests. This one is returned without data and body. */
        truncated: boolean
      } | null
      response: {
        headers: string
        /** @description First 4 KiB of the body. Null if it is not text. */
        body: string | null
        is_text: boolean
        truncated: boolean
      } | null
      worker: string
    }
    WebhookVersion: {
      /** @description Increases with every change of the account’s webhooks. */
      version: number
      /** Format: date-time */
      at: string
      /** @enum {string} */
      change: 'created' | 'changed' | 'enabled' | 'disabled' | 'deleted'
      /** @description `login:`, `key:` or `app:` with an id, or `operator` or `service`. */
      actor: string
      /** @description Name of the login, key or app. */
      actor_name: string | null
      /** @description Differences from the previous stored version. Of the first version, settings other than the defaults. */
      changes: components['schemas']['WebhookFieldChange'][]
      /** @description The earlier version that this one restored, and its time, which is null once the version is deleted. */
      restored: {
        version: number
        at: string | null
      } | null
      /** @description Whether versions between this one and the previous stored one may be deleted. */
      may_skip_versions: boolean
    }
    /** @description Old and new value of a setting. If one of the versions has chosen types, `event_types` has them, separated by commas, instead of `event_type`, and `event_filter` is the filter beside them. For `headers`, their names separated by commas, or null if they cannot be decrypted; values of headers are never shown. */
    WebhookFieldChange: {
      /** @enum {string} */
      field:
        | 'name'
        | 'description'
        | 'target_url'
        | 'event_type'
        | 'event_filter'
        | 'request_method'
        | 'headers'
        | 'max_per_second'
        | 'form_fields'
        | 'retry_policy'
        | 'accept_header'
        | 'trace_header'
        | 'signature_url'
        | 'event_types'
      from: string | number | boolean | null
      to: string | number | boolean | null
    }
    Notice: {
      id: number
      kind: components['schemas']['NoticeKind']
      group: components['schemas']['NoticeGroup']
      /** @description What happened. */
      title: string
      /** @description The notice in sentences. */
      message: string
      /** @description Null: about something else. */
      webhook: components['schemas']['NamedWebhook'] | null
      /** @description Name of an API key. */
      subject: string | null
      /**
       * Format: date-time
       * @description When the reported period began, or when what expires does.
       */
      since: string
      /** Format: date-time */
      created_at: string
      /** @description The latest failure of the webhook. */
      reason: components['schemas']['AttemptReason'] | null
      /** @description HTTP status of the latest failure. */
      status: number | null
      /**
       * @description `waiting` for a few minutes for other notices, `ready`, or `dropped` because it became untrue meanwhile.
       * @enum {string}
       */
      state: 'waiting' | 'ready' | 'dropped'
      messages: {
        /** @description Alias of the user; null for a channel. */
        login: string | null
        /** @description Name of the channel; null for a user. */
        channel: string | null
        channel_kind: components['schemas']['ChannelKind'] | null
        /** @description The email of the last attempt, or the host of the chat service. */
        address: string | null
        state: components['schemas']['NoticeMessageState']
        /** @description Response of the mail server to a failed attempt, or HTTP status of the chat service. */
        response_code: number | null
        /** @description Why the last attempt failed: a code of the mail library, or the reason of an attempt. */
        reason: string | null
        finished_at: string | null
      }[]
    }
    /** @enum {string} */
    NoticeKind:
      | 'failing_1h'
      | 'failing_24h'
      | 'failing_3d'
      | 'backing_off'
      | 'recovered'
      | 'disabled'
      | 'gone'
      | 'expiring'
      | 'lost'
      | 'slow'
      | 'certificate_21d'
      | 'certificate_7d'
      | 'certificate_1d'
      | 'key_7d'
      | 'key_1d'
      | 'secret_6h'
      | 'deprecated'
      | 'account_changed'
      | 'login_changed'
      | 'sign_in'
    /**
     * @description For preferences and channels.
     * @enum {string}
     */
    NoticeGroup: 'failing' | 'disabled' | 'lost' | 'slow' | 'certificates' | 'credentials' | 'security'
    /**
     * @description `email`: a further address, `slack`, `teams`, or `json` for anything that accepts JSON by POST.
     * @enum {string}
     */
    ChannelKind: 'email' | 'slack' | 'teams' | 'json'
    /**
     * @description `queued`, `sent` (accepted by the mail server or the chat service), `refused` by it, `expired` after 24 hours of failed attempts, `dropped` because it became untrue or unwanted, or `bounced`: accepted by one mail server, and refused by another one later.
     * @enum {string}
     */
    NoticeMessageState: 'queued' | 'sent' | 'refused' | 'expired' | 'dropped' | 'bounced'
    /**
     * @description `instant`: within minutes, `daily`: at 08:00 UTC, `weekly`: on Mondays at 08:00 UTC, `off`: no email.
     * @enum {string}
     */
    NoticeMode: 'instant' | 'daily' | 'weekly' | 'off'
    LastNoticeMessage: {
      state: components['schemas']['NoticeMessageState']
      /** @description Response of the mail server to a failed attempt, or HTTP status of the chat service. */
      response_code: number | null
      /** @description Why the last attempt failed: a code of the mail library, or the reason of an attempt. */
      reason: string | null
      is_test: boolean
      /** Format: date-time */
      created_at: string
    }
    NoticeChannel: {
      id: number
      kind: components['schemas']['ChannelKind']
      name: string
      /** @description The address, or the host of the URL. */
      target: string
      groups: ('failing' | 'disabled' | 'lost' | 'slow' | 'certificates' | 'credentials' | 'security')[]
      mode: components['schemas']['SendingMode']
      /** @description False: the address gets notices once its link is opened. */
      is_confirmed: boolean
      /** Format: date-time */
      created_at: string
      /** @description The last message. */
      last: components['schemas']['LastNoticeMessage'] | null
    }
    /**
     * @description `instant`: within minutes, `daily`: at 08:00 UTC, `weekly`: on Mondays at 08:00 UTC.
     * @enum {string}
     */
    SendingMode: 'instant' | 'daily' | 'weekly'
    EventType: {
      /**
       * @description Value of `event_type` of a webhook.
       * @example sms_mo
       */
      name: string
      label: string
      description: string
      /** @description `type` of the events. Differs from `name` for a part of a type. Null for `all`. */
      type: string | null
      /** @description Field that a list of filter values is compared with. */
      filter_field: string | null
      time_sensitive: boolean
      built_in: boolean
      /** @description Reports the state of webhooks and keys. `all` does not include it. */
      account_event: boolean
    }
    Event: {
      /** Format: uuid */
      id: string
      type: string
      /** Format: date-time */
      accepted_at: string
      occurred_at: string | null
      message_id: string | null
      /** @description Masked except for the first four and last two characters. */
      from: string | null
      /** @description Masked except for the first four and last two characters. */
      to: string | null
      foreign_id: string | null
      is_test: boolean
      /** @description Whether the event has been matched against the webhooks. */
      is_routed: boolean
      deliveries: {
        hook_id: number
        /** @enum {string} */
        state: 'delivered' | 'failed' | 'expired' | 'cancelled' | 'waiting' | 'held'
        /** @description While the delivery is pending: the reason of its last attempt, null before the first. */
        reason: components['schemas']['DeliveryReason'] | null
        attempts: number
        /** @description 1 is the original delivery, each replay adds 1. */
        round: number
      }[]
    }
    /** @enum {string} */
    DeliveryReason:
      | 'delivered'
      | 'status'
      | 'redirect'
      | 'gone'
      | 'timeout'
      | 'connect_timeout'
      | 'connection_refused'
      | 'connection_reset'
      | 'unreachable'
      | 'tls'
      | 'name_not_found'
      | 'invalid_response'
      | 'protocol_error'
      | 'forbidden_address'
      | 'own_address'
      | 'address_too_long'
      | 'body_too_large'
      | 'resolver_down'
      | 'no_resources'
      | 'internal'
      | 'hook_deleted'
      | 'too_late'
      | 'held_full'
      | 'held_too_long'
      | 'discarded'
      | 'stopped_too_long'
      | 'unloadable_too_long'
      | 'not_matched'
      | 'replay_cancelled'
      | 'quarantined'
      | 'retention'
    ExplainedWebhook: {
      hook_id: number
      /** @description Current name and endpoint of the webhook. */
      webhook: components['schemas']['NamedWebhook'] | null
      target_url: string
      event_type: string
      event_filter: string | null
      /** @description The parameters `event_types` and `event_filter`, if the filter is such a list of types. Otherwise null. */
      chosen: {
        event_types: string[]
        event_filter: string | null
      } | null
      request_method: string
      /** @enum {string} */
      verdict: 'matched' | 'held' | 'not_matched' | 'created_later' | 'deleted_before'
      why: {
        /** @enum {string} */
        kind:
          | 'matched'
          | 'type'
          | 'filter'
          | 'field_missing'
          | 'clause'
          | 'filter_error'
          | 'filter_unreadable'
          | 'too_expensive'
          | 'disabled'
          | 'created_later'
          | 'deleted_before'
          | 'test'
        /** @description Field that the filter checks, or that the event does not have. */
        field?: string
        /** @description Actual value that the filter evaluated. */
        actual?: string
        /** @description Clause of the expression that decided the result. */
        clause?: string
        /** @description Why the clause could not be evaluated. */
        error?: string
        message: string
      }
      /** @description Changes of the webhook since the event. The other fields show the webhook at the time of the event. */
      later_changes: {
        /** @enum {string} */
        change: 'created' | 'changed' | 'enabled' | 'disabled' | 'deleted'
        /** Format: date-time */
        at: string
      }[]
      deliveries: {
        round: number
        /** @enum {string} */
        state: 'delivered' | 'failed' | 'expired' | 'cancelled' | 'waiting' | 'held'
        reason: components['schemas']['DeliveryReason'] | null
        message: string
        attempts: components['schemas']['Attempt'][]
        max_attempts: number
        next_attempt_at: string | null
        /** @description Why the next attempt has its time: first attempt, backoff, `Retry-After`, open circuit breaker, or already in flight. */
        next_reason: ('scheduled' | 'backoff' | 'retry_after' | 'circuit_open' | 'in_flight') | null
        /** @description Reason given by the operator who stopped the delivery. */
        stop_reason: string | null
        problem: components['schemas']['WebhookProblem'] | null
        next_message: string | null
        finished_at: string | null
      }[]
    }
    WebhookCounters: {
      delivered_24h: number
      /** @description Deliveries that failed permanently or expired. */
      failed_24h: number
      waiting: number
      /** @description Deliveries on hold while the webhook is disabled. */
      held: number
      /** @description Deliveries pending for more than 10 minutes since their event was accepted or, in a replay, since they were due. Deliveries on hold are not included. */
      overdue: number
      /** @description Acceptance time of the oldest event with a pending delivery. */
      oldest_waiting_at: string | null
      failing_since: string | null
      next_probe_at: string | null
      /** @description Active operator stop. Deliveries stay pending until it ends. */
      stop: {
        /** @enum {string} */
        scope: 'all' | 'account' | 'hook' | 'host'
        /** @description Reason given by the operator. */
        reason: string
        /** Format: date-time */
        since: string
      } | null
      problem: components['schemas']['WebhookProblem'] | null
    }
    TestRequest: {
      id: string
      hook_id: number
      webhook: components['schemas']['NamedWebhook'] | null
      event_id: string
      /** Format: date-time */
      received_at: string
      method: string
      is_test: boolean
      /** @description Values of custom headers are masked. */
      headers: {
        name: string
        value: string
      }[]
      /** @description Body, or the query of a GET. Null for other than test events: they are not stored. */
      content: string | null
      content_bytes: number
      is_truncated: boolean
    }
    Consumer: {
      id: number
      name: string
      hook_id: number | null
      /** @description Not used if `hook_id` is set. */
      event_type: string
      event_filter: string | null
      /** @description The parameters `event_types` and `event_filter`, if the filter is such a list of types. Otherwise null. */
      chosen: {
        event_types: string[]
        event_filter: string | null
      } | null
      /** @enum {string} */
      request_method: 'POST' | 'GET' | 'JSON'
      /** @description The committed position. */
      cursor: string
      /**
       * Format: date-time
       * @description Acceptance time of the last committed event, or the time at which there was none to read.
       */
      position_at: string
      /** @description Whether a reader is active. */
      is_leased: boolean
      lease_until: string | null
      polled_at: string | null
      /** Format: date-time */
      created_at: string
      /** @description Actor such as `key:12` or `login:3`. */
      created_by: string
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
            /** @description Free search: an event id, message id, number, foreign id or webhook id. */
            q?: string
            message_id?: string
            /** @description Sender or recipient: international (`+49 170 1234567`, `0049 1701234567` or `491701234567`), in the national form of the default country of the account (`0170 1234567`), or the last 6 or more digits (`234567`). */
            number?: string
            foreign_id?: string
            /**
             * @description Event type.
             * @example rcs
             * @example sms_mo
             * @example dlr
             * @example voice_call
             * @example voice_status
             * @example voice_dtmf
             * @example tracking
             * @example wa_mo
             */
            type?: string
            hook_id?: number
            /**
             * @description State of a delivery. For replayed deliveries, `state`, `status` and `reason` refer to the latest round.
             * @enum {string}
             */
            state?: 'delivered' | 'failed' | 'expired' | 'cancelled' | 'waiting' | 'held'
            /** @description HTTP status of the response to an attempt. */
            status?: number
            /**
             * @description Reason of an attempt or of a finished delivery.
             * @enum {string}
             */
            reason?:
              | 'delivered'
              | 'status'
              | 'redirect'
              | 'gone'
              | 'timeout'
              | 'connect_timeout'
              | 'connection_refused'
              | 'connection_reset'
              | 'unreachable'
              | 'tls'
              | 'name_not_found'
              | 'invalid_response'
              | 'protocol_error'
              | 'forbidden_address'
              | 'own_address'
              | 'address_too_long'
              | 'body_too_large'
              | 'resolver_down'
              | 'no_resources'
              | 'internal'
              | 'hook_deleted'
              | 'too_late'
              | 'held_full'
              | 'held_too_long'
              | 'discarded'
              | 'stopped_too_long'
              | 'unloadable_too_long'
              | 'not_matched'
              | 'replay_cancelled'
              | 'quarantined'
              | 'retention'
            /**
             * Format: date-time
             * @description Only events accepted at this time or later.
             */
            from?: string
            /**
             * Format: date-time
             * @description Only events accepted before this time.
             */
            to?: string
          }
        }
      | {
          /** @description Free search: an event id, message id, number, foreign id or webhook id. */
          q?: string
          hook_id?: number
          /**
           * @description State of a delivery. For replayed deliveries, `state`, `status` and `reason` refer to the latest round.
           * @enum {string}
           */
          state?: 'delivered' | 'failed' | 'expired' | 'cancelled' | 'waiting' | 'held'
          /** @description HTTP status of the response to an attempt. */
          status?: number
          /**
           * @description Reason of an attempt or of a finished delivery.
           * @enum {string}
           */
          reason?:
            | 'delivered'
            | 'status'
            | 'redirect'
            | 'gone'
            | 'timeout'
            | 'connect_timeout'
            | 'connection_refused'
            | 'connection_reset'
            | 'unreachable'
            | 'tls'
            | 'name_not_found'
            | 'invalid_response'
            | 'protocol_error'
            | 'forbidden_address'
            | 'own_address'
            | 'address_too_long'
            | 'body_too_large'
            | 'resolver_down'
            | 'no_resources'
            | 'internal'
            | 'hook_deleted'
            | 'too_late'
            | 'held_full'
            | 'held_too_long'
            | 'discarded'
            | 'stopped_too_long'
            | 'unloadable_too_long'
            | 'not_matched'
            | 'replay_cancelled'
            | 'quarantined'
            | 'retention'
          events: string[]
        }
    ReplaySkipped: {
      /** @description The webhook is disabled. */
      disabled: number
      /** @description The webhook is deleted. */
      deleted: number
      /** @description The delivery is still pending. */
      pending: number
      /** @description The delivery does not exist or is about to leave the ledger. */
      missing: number
    }
    Replay: {
      id: number
      /** @enum {string} */
      state: 'counting' | 'running' | 'paused' | 'done' | 'cancelled'
      /** @enum {string} */
      kind: 'deliveries' | 'search' | 'held'
      /** @description Event, if a single delivery is selected. */
      event_id: string | null
      /** @description Webhook, if the selection contains a single webhook. */
      hook_id: number | null
      /** @description The webhook of `hook_id`. Null without the scope `hooks:read`. */
      webhook: components['schemas']['NamedWebhook'] | null
      /** @description Description of the selection. Numbers are masked. */
      selected: string
      selection: components['schemas']['ReplaySelected']
      /** Format: date-time */
      created_at: string
      /** @description Actor such as `key:12` or `login:3`. */
      created_by: string
      max_per_second: number
      /** @description Selected deliveries. Grows while the state is `counting`. */
      total: number
      started: number
      /** @description Deliveries not replayed. `skipped_reasons` has the reasons. */
      skipped: number
      skipped_reasons: components['schemas']['ReplaySkipped']
      delivered: number
      /** @description Finished deliveries that were not delivered. */
      failed: number
      /** @description Deliveries in `failed` by state and reason, most frequent first, up to 10. */
      failures: {
        state: string
        reason: string
        count: number
      }[]
      /** @description Why pending deliveries are not sent now. `disabled`: the webhook is disabled. `stopped`: the operator has stopped sending. `circuit_open`: the circuit breaker is open. `quarantined`: the operator decides. `rate_limit`: the rate limit of the webhook. `retrying`: an attempt failed, the next one is scheduled. `no_worker`: no worker continues the replay. */
      waiting: {
        /** @enum {string} */
        reason:
          'disabled' | 'stopped' | 'circuit_open' | 'quarantined' | 'rate_limit' | 'retrying' | 'no_worker'
        count: number
        /** @description One of the webhooks. */
        hook_id: number | null
      }[]
      /** @description Finished deliveries per second, as a moving average. Null if unknown. */
      per_second: number | null
      /** @description Estimated time left at this rate. Null if unknown or if the rest cannot be sent now. */
      seconds_left: number | null
      /** @description The replay of held events ended because the webhook was disabled again. */
      ended_by_disabling: boolean
      finished_at: string | null
      message: string
    }
    /** @description Deliveries that a replay selected. Masked, so it cannot be the selection of another replay. */
    ReplaySelected:
      | {
          /** @constant */
          kind: 'deliveries'
          count: number
          hook_id: number | null
        }
      | {
          /** @constant */
          kind: 'held'
          hook_id: number
        }
      | {
          /** @constant */
          kind: 'search'
          /** @description Search parameters. Ids and numbers are masked. */
          search: {
            state?: string
            hook_id?: number
            type?: string
            status?: number
            reason?: string
            q?: string
            message_id?: string
            number?: string
            foreign_id?: string
            from?: string
            to?: string
          }
        }
    /** @description Response of `navigator.credentials.get()` as JSON. Further fields are ignored. */
    PasskeyAssertion: {
      id: string
      rawId: string
      /** @constant */
      type: 'public-key'
      response: {
        clientDataJSON: string
        authenticatorData: string
        signature: string
        userHandle?: string
      }
    }
    Session: {
      id: number
      /** Format: date-time */
      created_at: string
      /** Format: date-time */
      expires_at: string
    }
    Login: {
      id: number
      alias: string
      /** @description Null until an email is confirmed. */
      email: string | null
      /** @description Email with a pending verification link. It is not active until the link is opened. */
      unconfirmed_email: string | null
      /** @description Whether two-factor authentication is enabled: with an authenticator app or a passkey. */
      second_factor: boolean
      /** @description Whether an authenticator app is set up. */
      authenticator_app: boolean
      /** @description Number of passkeys. */
      passkeys: number
      recovery_codes_left: number
    }
    Account: {
      id: number
      name: string
      /** Format: date-time */
      created_at: string
    }
    /** @description Your role and rights in the account of the session. */
    Membership: {
      role: components['schemas']['Role']
      /** @description May see numbers, texts and requests unmasked. */
      can_reveal: boolean
      /** @description May download events and the audit log. */
      can_export: boolean
    }
    /** @enum {string} */
    Role: 'viewer' | 'support' | 'developer' | 'admin' | 'owner'
    /** @description Set for a session of single sign-on, which stays in this account and cannot change the login itself. */
    SsoOrigin: {
      /** @description Name of the connection. */
      name: string
      /** @description Until when the latest `POST /api/sso/confirm` confirms operations with an empty `password`. Null if it does not. */
      confirmed_until: string | null
    } | null
    /** @description Options of `navigator.credentials.get()` as JSON. */
    PasskeyRequestOptions: {
      /** @description Valid for 5 minutes, once. */
      challenge: string
      rpId: string
      timeout: number
      /** @constant */
      userVerification: 'required'
      allowCredentials: components['schemas']['PasskeyDescriptor'][]
    }
    PasskeyDescriptor: {
      id: string
      /** @constant */
      type: 'public-key'
      transports: ('ble' | 'cable' | 'hybrid' | 'internal' | 'nfc' | 'smart-card' | 'usb')[]
    }
    SsoConnection: {
      /** @description Public id, for `POST /api/session/sso`. */
      id: string
      name: string
      issuer: string
      client_id: string
      has_client_secret: boolean
      /** @description Whether members sign in only through the provider, except for break-glass owners. */
      is_required: boolean
      /** @description Role of users of verified domains who join by signing in. Null: only members and invited users sign in. */
      default_role: ('viewer' | 'support' | 'developer') | null
      /** @description Whether users who join may reveal personal data. */
      can_reveal: boolean
      /** @description Whether users who join may export data. */
      can_export: boolean
      /** Format: date-time */
      created_at: string
      /** Format: date-time */
      changed_at: string
    }
    SsoDomain: {
      id: number
      domain: string
      /** @description Where the TXT record is expected. */
      record_name: string
      /** @description Text of the TXT record. */
      record_value: string
      /** Format: date-time */
      created_at: string
      verified_at: string | null
    }
    SsoIdentity: {
      id: number
      login_id: number
      alias: string
      is_self: boolean
      /** @description Id of the user at the provider. */
      subject: string
      /** @description As the provider said when the identity was linked. */
      email: string | null
      /** Format: date-time */
      linked_at: string
      /** Format: date-time */
      used_at: string
    }
    Passkey: {
      id: number
      name: string
      /** @description Whether the passkey is backed up or synced, as its authenticator reported last. */
      is_synced: boolean
      /** Format: date-time */
      created_at: string
      last_used_at: string | null
    }
    /** @description Response of `navigator.credentials.create()` as JSON. Further fields are ignored. */
    PasskeyRegistration: {
      id: string
      rawId: string
      /** @constant */
      type: 'public-key'
      response: {
        clientDataJSON: string
        attestationObject: string
        transports?: string[]
      }
    }
    /** @description Options of `navigator.credentials.create()` as JSON. */
    PasskeyCreationOptions: {
      /** @description Valid for 5 minutes, once, in this session. */
      challenge: string
      rp: {
        id: string
        name: string
      }
      user: {
        id: string
        name: string
        displayName: string
      }
      pubKeyCredParams: {
        /** @constant */
        type: 'public-key'
        alg: number
      }[]
      timeout: number
      /** @constant */
      attestation: 'none'
      authenticatorSelection: {
        /** @constant */
        residentKey: 'required'
        /** @constant */
        requireResidentKey: true
        /** @constant */
        userVerification: 'required'
      }
      excludeCredentials: components['schemas']['PasskeyDescriptor'][]
    }
    /** @enum {string} */
    AuditAction:
      | 'account.create'
      | 'account.export'
      | 'account.import'
      | 'account.rename'
      | 'account.resume'
      | 'account.set-country'
      | 'account.set-signed-calls'
      | 'account.set-statuses'
      | 'account.signing-key.rotate'
      | 'account.signing-key.switch'
      | 'account.signing-key.view'
      | 'account.suspend'
      | 'account.transfer'
      | 'app.change'
      | 'app.create'
      | 'app.delete'
      | 'app.rotate-secret'
      | 'app.set-pkce'
      | 'authorization.grant'
      | 'authorization.revoke'
      | 'channel.change'
      | 'channel.confirm'
      | 'channel.create'
      | 'channel.delete'
      | 'consumer.change'
      | 'consumer.create'
      | 'consumer.delete'
      | 'consumer.secret.view'
      | 'consumer.seek'
      | 'delivery.cancel'
      | 'delivery.retry'
      | 'event-type.add'
      | 'event-type.remove'
      | 'event.export'
      | 'event.reveal'
      | 'hook.change'
      | 'hook.create'
      | 'hook.delete'
      | 'hook.disable'
      | 'hook.enable'
      | 'hook.retry'
      | 'hook.secret.rotate'
      | 'hook.secret.view'
      | 'invitation.create'
      | 'invitation.resend'
      | 'invitation.revoke'
      | 'key.create'
      | 'key.revoke'
      | 'key.view'
      | 'login.create'
      | 'login.request-reset'
      | 'login.set-email'
      | 'login.set-password'
      | 'member.add'
      | 'member.change'
      | 'member.remove'
      | 'passkey.add'
      | 'passkey.reject'
      | 'passkey.remove'
      | 'passkey.rename'
      | 'producer.create'
      | 'producer.revoke'
      | 'replay.cancel'
      | 'replay.pause'
      | 'replay.resume'
      | 'replay.start'
      | 'second-factor.off'
      | 'second-factor.on'
      | 'second-factor.use-recovery-code'
      | 'session.end'
      | 'session.end-others'
      | 'session.fail'
      | 'session.start'
      | 'sso.add-domain'
      | 'sso.configure'
      | 'sso.link'
      | 'sso.remove'
      | 'sso.remove-domain'
      | 'sso.settings'
      | 'sso.unlink'
      | 'sso.verify-domain'
      | 'stop.create'
      | 'stop.end'
      | 'token.replay'
    Member: {
      login_id: number
      alias: string
      email: string | null
      second_factor: boolean
      is_self: boolean
      role: components['schemas']['Role']
      /** @description May see numbers, texts and requests unmasked. */
      can_reveal: boolean
      /** @description May download events and the audit log. */
      can_export: boolean
      /** Format: date-time */
      joined_at: string
      /**
       * Format: date-time
       * @description Start of the latest session in the account.
       */
      used_at: string
    }
    HeldSecret: {
      /**
       * @description API key, OAuth app, webhook or consumer. `account` is the signing key.
       * @enum {string}
       */
      kind: 'key' | 'app' | 'hook' | 'consumer' | 'account'
      id: string
      name: string | null
      /** @description Whether the member created the key or app. */
      is_creator: boolean
      /** Format: date-time */
      seen_at: string
    }
    Invitation: {
      id: number
      email: string
      role: components['schemas']['Role']
      /** @description May see numbers, texts and requests unmasked. */
      can_reveal: boolean
      /** @description May download events and the audit log. */
      can_export: boolean
      invited_by: string
      /** Format: date-time */
      sent_at: string
      /** Format: date-time */
      expires_at: string
    }
    ApiKey: {
      id: number
      name: string
      /** @description First characters of the key. */
      prefix: string
      /** @description False for a key that was imported as a digest. */
      revealable: boolean
      /** @description Whether you may reveal and revoke the key. Developers manage only keys that they created. */
      manageable: boolean
      scopes: ('all' | 'hooks' | 'hooks:read' | 'events:read' | 'deliveries:replay')[]
      /** @description Allowed IP addresses and networks. Null for no restriction. */
      allowed_ips: string[] | null
      expires_at: string | null
      /** @description Whether calls with the key must be signed. */
      signed_calls_required: boolean
      revoked_at: string | null
      last_used_at: string | null
      /** @description Authentication method of the last use: `header-key`, `basic-key` or `parameter-key`. */
      last_used_method: string | null
      /** Format: date-time */
      created_at: string
    }
    OAuthApp: {
      /** @description Client ID. */
      id: string
      name: string
      /** @description A public app runs on the devices of its users and has no secret. */
      is_public: boolean
      redirect_uris: string[]
      /** @description First characters of the client secret. */
      secret_prefix: string | null
      /** Format: date-time */
      created_at: string
      last_used_at: string | null
      /** @description Whether you may change and delete the app. Developers manage only apps that they created. */
      manageable: boolean
      /** @description Number of accounts that currently authorize the app. */
      accounts: number
    }
    /**
     * @example {
     *       "id": 77007,
     *       "agent_id": "example-agent",
     *       "sender": "491700000001",
     *       "time": 1763197200,
     *       "message_type": "RCS",
     *       "content_type": "text",
     *       "text": "Hello from Hookline"
     *     }
     * @example {
     *       "msg_id": "77008",
     *       "agent_id": "example-agent",
     *       "sender": "491700000001",
     *       "status": "READ",
     *       "foreign_id": null,
     *       "timestamp": "2025-11-15 09:00:00.000000"
     *     }
     */
    rcs_data:
      | {
          /** @description ID of the RCS agent. */
          agent_id: string
          /** @description Number of the sender. */
          sender: string
          /** @description ID of the sent message. */
          msg_id: string
          /** @enum {string} */
          status: 'IS_TYPING' | 'READ' | 'DELIVERED'
          /** @description The ID that the sender gave to the message. */
          foreign_id: string | null
          /** @description Time of the status. */
          timestamp: string
        }
      | {
          /** @description ID of the message. */
          id: number
          /** @description ID of the RCS agent. */
          agent_id: string
          /** @description Number of the sender. */
          sender: string
          /** @description Unix time in seconds. */
          time: number
          /** @constant */
          message_type: 'RCS'
          /** @description The ID that the sender gave to the message. */
          foreign_id?: string
          /** @constant */
          content_type: 'text'
          /** @description Text of the message. */
          text: string
        }
      | {
          /** @description ID of the message. */
          id: number
          /** @description ID of the RCS agent. */
          agent_id: string
          /** @description Number of the sender. */
          sender: string
          /** @description Unix time in seconds. */
          time: number
          /** @constant */
          message_type: 'RCS'
          /** @description The ID that the sender gave to the message. */
          foreign_id?: string
          /** @constant */
          content_type: 'suggestion_response'
          suggestion_response: {
            postbackData: string
            text: string
            /** @constant */
            type: 'REPLY'
          }
        }
      | {
          /** @description ID of the message. */
          id: number
          /** @description ID of the RCS agent. */
          agent_id: string
          /** @description Number of the sender. */
          sender: string
          /** @description Unix time in seconds. */
          time: number
          /** @constant */
          message_type: 'RCS'
          /** @description The ID that the sender gave to the message. */
          foreign_id?: string
          /** @constant */
          content_type: 'user_file'
          user_file: {
            payload: {
              fileUri: string
              mimeType: string
              fileSizeBytes: number
              fileName: string
            }
            thumbnail?: {
              fileUri: string
              mimeType: string
              fileSizeBytes: number
            }
          }
        }
      | {
          /** @description ID of the message. */
          id: number
          /** @description ID of the RCS agent. */
          agent_id: string
          /** @description Number of the sender. */
          sender: string
          /** @description Unix time in seconds. */
          time: number
          /** @constant */
          message_type: 'RCS'
          /** @description The ID that the sender gave to the message. */
          foreign_id?: string
          /** @constant */
          content_type: 'location'
          location: {
            latitude: number
            longitude: number
          }
        }
    /**
     * @example {
     *       "id": "77001",
     *       "sender": "491700000001",
     *       "system": "491700000002",
     *       "text": "Hello from Hookline",
     *       "time": "1763197200",
     *       "message_type": "SMS"
     *     }
     */
    sms_mo_data: {
      /** @description ID of the message. */
      id: string
      /** @description Number of the sender. */
      sender: string
      /** @description The inbound number. */
      system: string
      /** @description Text of the message. */
      text: string
      /** @description Unix time in seconds, as a string. */
      time: string
      /** @constant */
      message_type: 'SMS'
    }
    /**
     * @example {
     *       "msg_id": "77002",
     *       "status": "DELIVERED",
     *       "timestamp": "2025-11-15 09:00:00.000000",
     *       "foreign_id": "order-1001"
     *     }
     */
    dlr_data: {
      /** @description ID of the sent message. */
      msg_id: string
      /** @enum {string} */
      status:
        | 'DELIVERED'
        | 'NOTDELIVERED'
        | 'BUFFERED'
        | 'TRANSMITTED'
        | 'ACCEPTED'
        | 'EXPIRED'
        | 'REJECTED'
        | 'FAILED'
        | 'UNKNOWN'
      /** @description Time of the status, as YYYY-MM-DD HH:MM:SS.ffffff. */
      timestamp: string
      /** @description The ID that the sender gave to the message. */
      foreign_id: string | null
    }
    /**
     * @example {
     *       "id": 77003,
     *       "caller": "491700000001",
     *       "system": "491700000002",
     *       "time": 1763197200
     *     }
     */
    voice_call_data: {
      /** @description ID of the call. */
      id: number
      /** @description Number of the caller. */
      caller: string
      /** @description The inbound number. */
      system: string
      /** @description Unix time in seconds. */
      time: number
    }
    /**
     * @example {
     *       "id": "77004",
     *       "callerId": "491700000002",
     *       "recipient": "491700000001",
     *       "duration": "42",
     *       "pricePerMinute": 0.045,
     *       "status": "completed",
     *       "timestamp": 1763197200
     *     }
     */
    voice_status_data: {
      /** @description ID of the call. */
      id: string
      /** @description Number of the caller. */
      callerId: string
      /** @description Number of the recipient. */
      recipient: string
      /** @description Seconds, as a string. */
      duration: string
      /** @description Price of a minute. */
      pricePerMinute: number
      /** @description Status of the call. */
      status: string
      /** @description Unix time in seconds. */
      timestamp: number
    }
    /**
     * @example {
     *       "id": 77005,
     *       "callerId": "491700000002",
     *       "recipient": "491700000001",
     *       "system": "491700000002",
     *       "dtmf_digit": 5,
     *       "duration": 12,
     *       "pricePerMinute": 0.045,
     *       "total_price": 0.045,
     *       "status": "in-progress",
     *       "timestamp": 1763197200
     *     }
     */
    voice_dtmf_data: {
      /** @description ID of the call. */
      id: number
      /** @description Number of the caller. */
      callerId: string
      /** @description Number of the recipient. */
      recipient: string
      /** @description The inbound number. */
      system: string
      /** @description The pressed key. */
      dtmf_digit: number
      /** @description Seconds. */
      duration: number
      /** @description Price of a minute. */
      pricePerMinute: number
      /** @description Price of the call so far. */
      total_price: number
      /** @description Status of the call. */
      status: string
      /** @description Unix time in seconds. */
      timestamp: number
    }
    /**
     * @example {
     *       "type": "click",
     *       "sms_id": "77006",
     *       "sms_label": "newsletter",
     *       "tracking_url": "https://example.com/t/abc",
     *       "final_url": "https://example.com/offer",
     *       "total_clicks": 1,
     *       "total_views": 2
     *     }
     */
    tracking_data: {
      /** @enum {string} */
      type: 'click' | 'view'
      /** @description ID of the sent message. */
      sms_id: string
      /** @description Label of the sent message. */
      sms_label: string | null
      /** @description URL in the message. */
      tracking_url: string
      /** @description URL that the tracking URL leads to. */
      final_url: string
      /** @description Clicks so far. */
      total_clicks: number
      /** @description Views so far. */
      total_views: number
    }
    /**
     * @example {
     *       "id": "77009",
     *       "sender": "491700000001",
     *       "system": "491700000002",
     *       "time": "1763197200",
     *       "text": "Hello from Hookline"
     *     }
     */
    wa_mo_data: {
      /** @description ID of the message. */
      id: string
      /** @description Number of the sender. */
      sender: string
      /** @description The inbound number. */
      system: string
      /** @description Unix time in seconds, as a string. */
      time: string
    } & {
      [key: string]: unknown
    }
  }
  responses: {
    /**
     * @description Status 400:
     *
     *     **905**: Several different credentials in one call. Send exactly one.
     *
     *     **1000**: Malformed request: invalid JSON, percent-encoding, UTF-8 or framing.
     *
     *     **1010**: A required parameter is missing or empty.
     *
     *     **1011**: The same parameter was sent more than once with different values.
     *
     *     **1012**: A parameter has an invalid value.
     *
     *     Status 401:
     *
     *     **900**: No valid credential. Send an API key as `X-Api-Key: <key>`.
     *
     *     **906**: Authentication method disabled by the operator. Send an API key as `X-Api-Key: <key>`.
     *
     *     Status 403:
     *
     *     **902**: Missing scope. The API key or token is valid but lacks the scope that this call needs.
     *
     *     **903**: Key not allowed from this IP address.
     *
     *     **904**: The account is suspended. Contact the operator.
     *
     *     Status 413:
     *
     *     **1001**: The body is larger than this call accepts.
     *
     *     Status 415:
     *
     *     **1002**: Unsupported media type. Send `application/x-www-form-urlencoded`, `multipart/form-data` or `application/json`, in UTF-8.
     *
     *     Status 429:
     *
     *     **907**: Too many failed attempts: passwords, codes, reset links, login names or authorization requests. Retry after `Retry-After`, or use an API key.
     *
     *     **1200**: Too many calls by the account in this minute. Retry after `Retry-After`.
     *
     *     **1207**: Too many concurrent searches or other calls. Retry after `Retry-After`.
     *
     *     Status 500:
     *
     *     **1300**: Internal error. Retry; report `X-Request-Id` if it persists.
     *
     *     Status 503:
     *
     *     **1301**: Service unavailable. Retry after `Retry-After` seconds.
     */
    Error: {
      headers: {
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error']
      }
    }
  }
  parameters: {
    /** @description Id of the event; the same on every attempt and for every webhook. Use it to detect duplicates. */
    'webhook-id': string
    /** @description Time of this attempt in Unix seconds. */
    'webhook-timestamp': string
    /** @description `v1,` and the Base64 of the HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}` with the secret of the webhook. For a GET, the body is the raw query string. Two signatures, separated by a space, for 24 hours after a rotation. */
    'webhook-signature': string
    /** @description Id of the webhook. */
    'x-hookline-hook': string
    /** @description Number of the attempt, from 1. */
    'x-hookline-attempt': string
    /** @description Only in a replay: 1 for the first replay, then 2. */
    'x-hookline-replay': string
    /** @description `1` on a test event. */
    'x-hookline-test': string
    /** @description With the option `trace_header`: the trace of the event, in the format of W3C Trace Context. */
    traceparent: string
    /** @description The older signature: hexadecimal HMAC-SHA-256 with the signing key of the account, over timestamp, nonce, method, registered URL and MD5 of the body, joined by line feeds. */
    'x-signature': string
    /** @description Time in the older signature, in Unix seconds. */
    'x-timestamp': string
    /** @description Random text in the older signature. */
    'x-nonce': string
    /** @description During a rotation of the signing key: the older signature with the next key. */
    'x-hookline-next-signature': string
  }
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
      /** @description Success. */
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
      default: components['responses']['Error']
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
           * @description Endpoint URL of the webhook.
           * @example https://example.com/webhooks
           */
          target_url: string
          /**
           * @description Event type to receive: a built-in type, or a type of the operator in `GET /api/event-types`. `rcs_mo` and `rcs_dlr` are older names of `rcs`, for inbound messages and status events only.
           * @example all
           * @example rcs
           * @example sms_mo
           * @example dlr
           * @example voice_call
           * @example voice_status
           * @example voice_dtmf
           * @example tracking
           * @example wa_mo
           * @example rcs_mo
           * @example rcs_dlr
           */
          event_type: string
          /** @description Delivers only matching events. Comma-separated inbound numbers (for RCS agents), or a CEL expression after `cel:`. */
          event_filter?: string
          /**
           * @description Delivery format: `POST` (form), `GET` (data as query parameters) or `JSON` (HTTP POST with a JSON body). Not case-sensitive.
           * @default POST
           * @enum {string}
           */
          request_method?: 'POST' | 'GET' | 'JSON'
          /** @description Custom HTTP headers of deliveries, for example for authentication, separated by line feeds. */
          headers?: string
        }
        'multipart/form-data': {
          /**
           * @description Endpoint URL of the webhook.
           * @example https://example.com/webhooks
           */
          target_url: string
          /**
           * @description Event type to receive: a built-in type, or a type of the operator in `GET /api/event-types`. `rcs_mo` and `rcs_dlr` are older names of `rcs`, for inbound messages and status events only.
           * @example all
           * @example rcs
           * @example sms_mo
           * @example dlr
           * @example voice_call
           * @example voice_status
           * @example voice_dtmf
           * @example tracking
           * @example wa_mo
           * @example rcs_mo
           * @example rcs_dlr
           */
          event_type: string
          /** @description Delivers only matching events. Comma-separated inbound numbers (for RCS agents), or a CEL expression after `cel:`. */
          event_filter?: string
          /**
           * @description Delivery format: `POST` (form), `GET` (data as query parameters) or `JSON` (HTTP POST with a JSON body). Not case-sensitive.
           * @default POST
           * @enum {string}
           */
          request_method?: 'POST' | 'GET' | 'JSON'
          /** @description Custom HTTP headers of deliveries, for example for authentication, separated by line feeds. */
          headers?: string
        }
        'application/json': {
          /**
           * @description Endpoint URL of the webhook.
           * @example https://example.com/webhooks
           */
          target_url: string
          /**
           * @description Event type to receive: a built-in type, or a type of the operator in `GET /api/event-types`. `rcs_mo` and `rcs_dlr` are older names of `rcs`, for inbound messages and status events only.
           * @example all
           * @example rcs
           * @example sms_mo
           * @example dlr
           * @example voice_call
           * @example voice_status
           * @example voice_dtmf
           * @example tracking
           * @example wa_mo
           * @example rcs_mo
           * @example rcs_dlr
           */
          event_type: string
          /** @description Delivers only matching events. Comma-separated inbound numbers (for RCS agents), or a CEL expression after `cel:`. */
          event_filter?: string
          /**
           * @description Delivery format: `POST` (form), `GET` (data as query parameters) or `JSON` (HTTP POST with a JSON body). Not case-sensitive.
           * @default POST
           * @enum {string}
           */
          request_method?: 'POST' | 'GET' | 'JSON'
          /** @description Custom HTTP headers of deliveries, for example for authentication, separated by line feeds. */
          headers?: string
        }
      }
    }
    responses: {
      /** @description Success. */
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
             * @description Id of the webhook, here as a number.
             * @example 2045
             */
            id: number
            error_message: null
          }
        }
      }
      /**
       * @description **1020**: Webhooks cannot be sent to this `target_url`.
       *
       *     **1021**: `headers` cannot be sent with a webhook.
       *
       *     **1022**: `event_filter` is neither a list of values nor a valid `cel:` expression, or it exceeds its budget on every event.
       */
      400: components['responses']['Error']
      /** @description **1201**: Webhook limit reached. Delete one first. */
      409: components['responses']['Error']
      /** @description **1208**: Too many webhook changes, or actions recorded in the audit log, in this minute or day. Retry after `Retry-After`. */
      429: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  deleteHook: {
    parameters: {
      query?: {
        /** @description Id of the webhook. */
        id?: number
        /** @description Endpoint URL of the webhook. */
        target_url?: string
        /** @description Event type to receive: a built-in type, or a type of the operator in `GET /api/event-types`. `rcs_mo` and `rcs_dlr` are older names of `rcs`, for inbound messages and status events only. */
        event_type?: string
        /** @description Delivery format: `POST` (form), `GET` (data as query parameters) or `JSON` (HTTP POST with a JSON body). Not case-sensitive. */
        request_method?: 'POST' | 'GET' | 'JSON'
        /** @description Delivers only matching events. Comma-separated inbound numbers (for RCS agents), or a CEL expression after `cel:`. */
        event_filter?: string
        /** @description Custom HTTP headers of deliveries, for example for authentication, separated by line feeds. */
        headers?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
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
             * @description Id of the webhook, here as a number.
             * @example 2045
             */
            id: number
            error_message: null
          }
        }
      }
      /** @description **1100**: Webhook not found in the account. */
      404: components['responses']['Error']
      /** @description **1101**: Several webhooks match. Delete by ID; the message lists the IDs. */
      409: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  findWebhooks: {
    parameters: {
      query?: {
        /** @description Words of the name, host or path. Default: all webhooks, oldest first. */
        q?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
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
              id: number
              name: string | null
              /** @description Host and path of the endpoint URL, to show for a webhook without a name. */
              endpoint: string
              enabled: boolean
            }[]
          }
        }
      }
      default: components['responses']['Error']
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
      /** @description Success. */
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
      default: components['responses']['Error']
    }
  }
  createWebhook: {
    parameters: {
      query?: never
      header?: {
        /** @description A new unique value for each call, such as a UUID. Repeating a call with its key has no further effect and returns the first response, with the header `idempotency-replayed: true`. Keys are kept for 24 hours, at most the newest 2,000 of an account. */
        'Idempotency-Key'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /**
           * @description Endpoint URL of the webhook.
           * @example https://example.com/webhooks
           */
          target_url: string
          /**
           * @description Delivery format: `POST` (form), `GET` (data as query parameters) or `JSON` (HTTP POST with a JSON body). Not case-sensitive.
           * @default POST
           * @enum {string}
           */
          request_method?: 'POST' | 'GET' | 'JSON'
          /** @description Name for users, at most 200 characters. Null or empty for none. Does not affect deliveries. */
          name?: string | null
          /** @description Description for users, at most 1,000 characters. Null or empty for none. */
          description?: string | null
          /**
           * @description Event type to receive: a built-in type, or a type of the operator in `GET /api/event-types`. `rcs_mo` and `rcs_dlr` are older names of `rcs`, for inbound messages and status events only.
           * @example all
           * @example rcs
           * @example sms_mo
           * @example dlr
           * @example voice_call
           * @example voice_status
           * @example voice_dtmf
           * @example tracking
           * @example wa_mo
           * @example rcs_mo
           * @example rcs_dlr
           */
          event_type?: string
          /** @description Several event types, instead of `event_type`. Stored as type `all` with a filter on `event.type`. `event_filter` can then only be an expression after `cel:`. Without `rcs_mo` and `rcs_dlr`, which are parts of a type. */
          event_types?: string[]
          /** @description Null or empty for no filter. If the webhook has chosen types and the call names none, the types stay, and this is the filter beside them. */
          event_filter?: string | null
          /** @description Null or empty for no headers. */
          headers?: string | null
          /** @description Max deliveries per second across all workers. Null for no limit. */
          max_per_second?: number | null
          /**
           * @description Fields of a form, for `request_method` POST: `nested` (`data[sender]`) or `flat` (`sender`). Default: `nested`.
           * @enum {string}
           */
          form_fields?: 'nested' | 'flat'
          /** @description Whether requests have the header `Accept: *\/*`. A custom `Accept` header replaces it. Default: false. */
          accept_header?: boolean
          /** @description Whether requests have the header `traceparent`, which continues the trace of the event. A custom `traceparent` header replaces it. Default: false. */
          trace_header?: boolean
          /**
           * @description URL in the `x-signature` of a GET: as `registered`, or the `complete` URL with its query. Default: `registered`.
           * @enum {string}
           */
          signature_url?: 'registered' | 'complete'
          /**
           * @description Statuses, attempts and timeout: `standard`, or `original` as in the original service. Default: `standard`.
           * @enum {string}
           */
          retry_policy?: 'standard' | 'original'
        }
      }
    }
    responses: {
      /** @description Success. */
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
       * @description **1020**: Webhooks cannot be sent to this `target_url`.
       *
       *     **1021**: `headers` cannot be sent with a webhook.
       *
       *     **1022**: `event_filter` is neither a list of values nor a valid `cel:` expression, or it exceeds its budget on every event.
       */
      400: components['responses']['Error']
      /**
       * @description **1103**: Another webhook of the account has the same URL, type, method, filter and headers.
       *
       *     **1201**: Webhook limit reached. Delete one first.
       *
       *     **1114**: Another call of the account has used the `Idempotency-Key` in the last 24 hours.
       */
      409: components['responses']['Error']
      /** @description **1208**: Too many webhook changes, or actions recorded in the audit log, in this minute or day. Retry after `Retry-After`. */
      429: components['responses']['Error']
      default: components['responses']['Error']
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
           * @description Endpoint URL of the webhook.
           * @example https://example.com/webhooks
           */
          target_url: string
          /**
           * @description Delivery format: `POST` (form), `GET` (data as query parameters) or `JSON` (HTTP POST with a JSON body). Not case-sensitive.
           * @default POST
           * @enum {string}
           */
          request_method?: 'POST' | 'GET' | 'JSON'
          /** @description Name for users, at most 200 characters. Null or empty for none. Does not affect deliveries. */
          name?: string | null
          /** @description Description for users, at most 1,000 characters. Null or empty for none. */
          description?: string | null
          /**
           * @description Event type to receive: a built-in type, or a type of the operator in `GET /api/event-types`. `rcs_mo` and `rcs_dlr` are older names of `rcs`, for inbound messages and status events only.
           * @example all
           * @example rcs
           * @example sms_mo
           * @example dlr
           * @example voice_call
           * @example voice_status
           * @example voice_dtmf
           * @example tracking
           * @example wa_mo
           * @example rcs_mo
           * @example rcs_dlr
           */
          event_type?: string
          /** @description Several event types, instead of `event_type`. Stored as type `all` with a filter on `event.type`. `event_filter` can then only be an expression after `cel:`. Without `rcs_mo` and `rcs_dlr`, which are parts of a type. */
          event_types?: string[]
          /** @description Null or empty for no filter. If the webhook has chosen types and the call names none, the types stay, and this is the filter beside them. */
          event_filter?: string | null
          /** @description Null or empty for no headers. */
          headers?: string | null
          /** @description Max deliveries per second across all workers. Null for no limit. */
          max_per_second?: number | null
          /**
           * @description Fields of a form, for `request_method` POST: `nested` (`data[sender]`) or `flat` (`sender`). Default: `nested`.
           * @enum {string}
           */
          form_fields?: 'nested' | 'flat'
          /** @description Whether requests have the header `Accept: *\/*`. A custom `Accept` header replaces it. Default: false. */
          accept_header?: boolean
          /** @description Whether requests have the header `traceparent`, which continues the trace of the event. A custom `traceparent` header replaces it. Default: false. */
          trace_header?: boolean
          /**
           * @description URL in the `x-signature` of a GET: as `registered`, or the `complete` URL with its query. Default: `registered`.
           * @enum {string}
           */
          signature_url?: 'registered' | 'complete'
          /**
           * @description Statuses, attempts and timeout: `standard`, or `original` as in the original service. Default: `standard`.
           * @enum {string}
           */
          retry_policy?: 'standard' | 'original'
          /** @description Webhook to be changed. */
          hook_id?: number
        }
      }
    }
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            /** @description Errors that prevent saving. */
            problems: {
              /** @enum {string} */
              field: 'target_url' | 'headers' | 'event_filter'
              /** @description Code of the error that saving returns. */
              code: number
              message: string
              /** @description The part of the value at fault, in UTF-16 code units. Null for all of it. */
              position: {
                index: number
                length: number
              } | null
              /** @description A value that would be accepted. */
              suggestion: string | null
            }[]
            /** @description Values that are valid but probably not intended. */
            warnings: {
              /** @enum {string} */
              code:
                | 'filter_never_matches'
                | 'filter_without_prefix'
                | 'filter_not_a_number'
                | 'filter_unknown_field'
                | 'filter_type_mismatch'
                | 'duplicate'
                | 'not_encrypted'
              /** @enum {string} */
              field: 'target_url' | 'event_filter'
              /** @description The other webhook of a `duplicate`. */
              hook_id: number | null
              webhook: components['schemas']['NamedWebhook'] | null
              message: string
              /** @description The part of the value at fault, in UTF-16 code units. Null for all of it. */
              position: {
                index: number
                length: number
              } | null
            }[]
            /** @description Null if there are problems. */
            requests: {
              POST: components['schemas']['RequestPreview'] | null
              GET: components['schemas']['RequestPreview'] | null
              JSON: components['schemas']['RequestPreview'] | null
            } | null
            /** @description cURL command that creates the webhook, or edits the webhook `hook_id`. Null if there are problems. */
            curl: string | null
          }
        }
      }
      default: components['responses']['Error']
    }
  }
  backtestFilter: {
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
           * @description Event type to receive: a built-in type, or a type of the operator in `GET /api/event-types`. `rcs_mo` and `rcs_dlr` are older names of `rcs`, for inbound messages and status events only.
           * @example all
           * @example rcs
           * @example sms_mo
           * @example dlr
           * @example voice_call
           * @example voice_status
           * @example voice_dtmf
           * @example tracking
           * @example wa_mo
           * @example rcs_mo
           * @example rcs_dlr
           */
          event_type?: string
          /** @description Several event types, instead of `event_type`. Stored as type `all` with a filter on `event.type`. `event_filter` can then only be an expression after `cel:`. Without `rcs_mo` and `rcs_dlr`, which are parts of a type. */
          event_types?: string[]
          /** @description Null or empty for no filter. If the webhook has chosen types and the call names none, the types stay, and this is the filter beside them. */
          event_filter?: string | null
          /** @description Webhook to compare with. */
          hook_id?: number
          /**
           * @description Max number of events to examine.
           * @default 10000
           */
          limit?: number
        }
      }
    }
    responses: {
      /** @description Success. */
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
            /** @description Matches of the current filter of the webhook. */
            current_matched: number | null
            /** @description Up to five samples each. `gained` and `lost` are relative to the current filter of the webhook. */
            samples: {
              matched: components['schemas']['FilteredEvent'][]
              not_matched: components['schemas']['FilteredEvent'][]
              gained: components['schemas']['FilteredEvent'][]
              lost: components['schemas']['FilteredEvent'][]
            }
          }
        }
      }
      /** @description **1022**: `event_filter` is neither a list of values nor a valid `cel:` expression, or it exceeds its budget on every event. */
      400: components['responses']['Error']
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      default: components['responses']['Error']
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
      /** @description Success. */
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
            /** @description Why the filter probably does not match the events that you expect. */
            filter_warnings: {
              /** @enum {string} */
              code:
                | 'filter_never_matches'
                | 'filter_without_prefix'
                | 'filter_not_a_number'
                | 'filter_unknown_field'
                | 'filter_type_mismatch'
              message: string
              /** @description The part of the value at fault, in UTF-16 code units. Null for all of it. */
              position: {
                index: number
                length: number
              } | null
            }[]
            secret_rotated_at: string | null
          }
        }
      }
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      default: components['responses']['Error']
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
          /** @description Name for users, at most 200 characters. Null or empty for none. Does not affect deliveries. */
          name?: string | null
          /** @description Description for users, at most 1,000 characters. Null or empty for none. */
          description?: string | null
          /**
           * @description Endpoint URL of the webhook.
           * @example https://example.com/webhooks
           */
          target_url?: string
          /**
           * @description Event type to receive: a built-in type, or a type of the operator in `GET /api/event-types`. `rcs_mo` and `rcs_dlr` are older names of `rcs`, for inbound messages and status events only.
           * @example all
           * @example rcs
           * @example sms_mo
           * @example dlr
           * @example voice_call
           * @example voice_status
           * @example voice_dtmf
           * @example tracking
           * @example wa_mo
           * @example rcs_mo
           * @example rcs_dlr
           */
          event_type?: string
          /** @description Several event types, instead of `event_type`. Stored as type `all` with a filter on `event.type`. `event_filter` can then only be an expression after `cel:`. Without `rcs_mo` and `rcs_dlr`, which are parts of a type. */
          event_types?: string[]
          /** @description Null or empty for no filter. If the webhook has chosen types and the call names none, the types stay, and this is the filter beside them. */
          event_filter?: string | null
          request_method?: string
          /** @description Null or empty for no headers. */
          headers?: string | null
          /** @description Max deliveries per second across all workers. Null for no limit. */
          max_per_second?: number | null
          /**
           * @description Fields of a form, for `request_method` POST: `nested` (`data[sender]`) or `flat` (`sender`). Default: `nested`.
           * @enum {string}
           */
          form_fields?: 'nested' | 'flat'
          /** @description Whether requests have the header `Accept: *\/*`. A custom `Accept` header replaces it. Default: false. */
          accept_header?: boolean
          /** @description Whether requests have the header `traceparent`, which continues the trace of the event. A custom `traceparent` header replaces it. Default: false. */
          trace_header?: boolean
          /**
           * @description URL in the `x-signature` of a GET: as `registered`, or the `complete` URL with its query. Default: `registered`.
           * @enum {string}
           */
          signature_url?: 'registered' | 'complete'
          /**
           * @description Statuses, attempts and timeout: `standard`, or `original` as in the original service. Default: `standard`.
           * @enum {string}
           */
          retry_policy?: 'standard' | 'original'
        }
      }
    }
    responses: {
      /** @description Success. */
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
            /** @description Why the filter probably does not match the events that you expect. */
            filter_warnings: {
              /** @enum {string} */
              code:
                | 'filter_never_matches'
                | 'filter_without_prefix'
                | 'filter_not_a_number'
                | 'filter_unknown_field'
                | 'filter_type_mismatch'
              message: string
              /** @description The part of the value at fault, in UTF-16 code units. Null for all of it. */
              position: {
                index: number
                length: number
              } | null
            }[]
          }
        }
      }
      /**
       * @description **1020**: Webhooks cannot be sent to this `target_url`.
       *
       *     **1021**: `headers` cannot be sent with a webhook.
       *
       *     **1022**: `event_filter` is neither a list of values nor a valid `cel:` expression, or it exceeds its budget on every event.
       */
      400: components['responses']['Error']
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      /** @description **1103**: Another webhook of the account has the same URL, type, method, filter and headers. */
      409: components['responses']['Error']
      /** @description **1208**: Too many webhook changes, or actions recorded in the audit log, in this minute or day. Retry after `Retry-After`. */
      429: components['responses']['Error']
      default: components['responses']['Error']
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
      /** @description Success. */
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
            /** @description Pending deliveries that are now on hold. */
            waiting: number
          }
        }
      }
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      default: components['responses']['Error']
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
           * @description Action for held events.
           * @default deliver
           * @enum {string}
           */
          held?: 'deliver' | 'drop'
        }
      }
    }
    responses: {
      /** @description Success. */
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
            /** @description Number of held events. */
            held: number
            /** @description Replay that delivers the held events. Null without held events to deliver. */
            replay_id: number | null
          }
        }
      }
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      /** @description **1208**: Too many webhook changes, or actions recorded in the audit log, in this minute or day. Retry after `Retry-After`. */
      429: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  testWebhook: {
    parameters: {
      query?: never
      header?: {
        /** @description A new unique value for each call, such as a UUID. Repeating a call with its key has no further effect and returns the first response, with the header `idempotency-replayed: true`. Keys are kept for 24 hours, at most the newest 2,000 of an account. */
        'Idempotency-Key'?: string
      }
      path: {
        /** @description Id of the webhook. */
        id: number
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Event type, for webhooks of type `all` only. Default: the first of its chosen types, or `sms_mo`. */
          event_type?: string
          /** @description Fields that replace those of the sample. The event can have up to 8 KiB. */
          data?: {
            [key: string]: unknown
          }
        }
      }
    }
    responses: {
      /** @description Success. */
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
             * @description Id of the event, to read its deliveries.
             */
            event_id: string
          }
        }
      }
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      /**
       * @description **1104**: The webhook is disabled, so nothing is sent to it. Enable it first.
       *
       *     **1107**: A test event to the webhook is in flight. While its circuit breaker is open, test events are sent one at a time.
       *
       *     **1114**: Another call of the account has used the `Idempotency-Key` in the last 24 hours.
       */
      409: components['responses']['Error']
      /** @description **1208**: Too many webhook changes, or actions recorded in the audit log, in this minute or day. Retry after `Retry-After`. */
      429: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  retryWebhook: {
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
      /** @description Success. */
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
             * @description `probe`: one delivery is sent. `deliveries`: pending deliveries are sent. `scheduled`: pending deliveries keep their time: they were just attempted, wait for `Retry-After`, or have one attempt left. `in_flight`: a probe is already in flight. `stopped`: the operator has stopped sending. `nothing`: no delivery is pending.
             * @enum {string}
             */
            started: 'probe' | 'deliveries' | 'scheduled' | 'in_flight' | 'stopped' | 'nothing'
          }
        }
      }
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      /** @description **1104**: The webhook is disabled, so nothing is sent to it. Enable it first. */
      409: components['responses']['Error']
      /** @description **1208**: Too many webhook changes, or actions recorded in the audit log, in this minute or day. Retry after `Retry-After`. */
      429: components['responses']['Error']
      default: components['responses']['Error']
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
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            /** @description Starts with `whsec_`. */
            secret: string
            /** @description The key of the account for `x-signature`. */
            signing_key: string
            rotated_at: string | null
            /** @description Until this time, deliveries also carry a signature with the previous secret. */
            previous_until: string | null
          }
        }
      }
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  rotateWebhookSecret: {
    parameters: {
      query?: never
      header?: {
        /** @description A new unique value for each call, such as a UUID. Repeating a call with its key has no further effect and returns the first response, with the header `idempotency-replayed: true`. Keys are kept for 24 hours, at most the newest 2,000 of an account. */
        'Idempotency-Key'?: string
      }
      path: {
        /** @description Id of the webhook. */
        id: number
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
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
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      /** @description **1114**: Another call of the account has used the `Idempotency-Key` in the last 24 hours. */
      409: components['responses']['Error']
      /** @description **1208**: Too many webhook changes, or actions recorded in the audit log, in this minute or day. Retry after `Retry-After`. */
      429: components['responses']['Error']
      default: components['responses']['Error']
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
      /** @description Success. */
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
              /** @description Failed attempts. */
              failures: number
            }[]
            totals: {
              delivered: number
              failed: number
              expired: number
              cancelled: number
              attempts: number
              /** @description Failed attempts. */
              failures: number
            }
            errors: {
              reason: components['schemas']['AttemptReason']
              status: number | null
              count: number
              /** Format: date-time */
              last_at: string
              message: string
              hint: string | null
            }[]
          }
        }
      }
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      default: components['responses']['Error']
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
      /** @description Success. */
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
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  listWebhookVersions: {
    parameters: {
      query?: {
        /** @description Returns only versions before this one. */
        before?: number
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
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            versions: components['schemas']['WebhookVersion'][]
            next: number | null
          }
        }
      }
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  readWebhookVersion: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the webhook. */
        id: number
        /** @description A version of the webhook. */
        version: number
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            version: number
            /** Format: date-time */
            at: string
            /** @description The version of the webhook now. Send it as `expected_version` to restore. */
            current_version: number
            /** @description Settings that a restore would change. */
            changes: components['schemas']['WebhookFieldChange'][]
            /** @description Why the version cannot be restored. Null if it can. */
            problem: {
              code: number
              message: string
            } | null
          }
        }
      }
      /** @description **1021**: `headers` cannot be sent with a webhook. */
      400: components['responses']['Error']
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  restoreWebhookVersion: {
    parameters: {
      query?: never
      header?: {
        /** @description A new unique value for each call, such as a UUID. Repeating a call with its key has no further effect and returns the first response, with the header `idempotency-replayed: true`. Keys are kept for 24 hours, at most the newest 2,000 of an account. */
        'Idempotency-Key'?: string
      }
      path: {
        /** @description Id of the webhook. */
        id: number
        /** @description A version of the webhook. */
        version: number
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Rejects the call with code 1108 if the webhook has another version now. */
          expected_version?: number
        }
      }
    }
    responses: {
      /** @description Success. */
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
       * @description **1020**: Webhooks cannot be sent to this `target_url`.
       *
       *     **1021**: `headers` cannot be sent with a webhook.
       *
       *     **1022**: `event_filter` is neither a list of values nor a valid `cel:` expression, or it exceeds its budget on every event.
       */
      400: components['responses']['Error']
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      /**
       * @description **1103**: Another webhook of the account has the same URL, type, method, filter and headers.
       *
       *     **1108**: The webhook has another version than `expected_version`. Review its settings first.
       *
       *     **1114**: Another call of the account has used the `Idempotency-Key` in the last 24 hours.
       */
      409: components['responses']['Error']
      /** @description **1208**: Too many webhook changes, or actions recorded in the audit log, in this minute or day. Retry after `Retry-After`. */
      429: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  muteWebhook: {
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
      /** @description Success. */
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
      /** @description **909**: CSRF check failed. Reload the page. */
      403: components['responses']['Error']
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  unmuteWebhook: {
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
      /** @description Success. */
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
      /** @description **909**: CSRF check failed. Reload the page. */
      403: components['responses']['Error']
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  listNotices: {
    parameters: {
      query?: {
        /** @description Returns only notices older than the notice with this id. */
        before?: number
        limit?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            notices: components['schemas']['Notice'][]
            /** @description Notices that you have not marked as seen, at most 1,000. */
            unread: number
            next: number | null
          }
        }
      }
      default: components['responses']['Error']
    }
  }
  countUnreadNotices: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            /** @description At most 1,000. */
            unread: number
          }
        }
      }
      default: components['responses']['Error']
    }
  }
  markNoticesSeen: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Id of the newest notice that you have seen. */
          id: number
        }
      }
    }
    responses: {
      /** @description Success. */
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
      /** @description **909**: CSRF check failed. Reload the page. */
      403: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  readNoticePreferences: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            /** @description Your verified email. Null: you get no emails. */
            email: string | null
            /** @description Whether this installation sends email. */
            sends_email: boolean
            preferences: {
              failing: components['schemas']['NoticeMode']
              disabled: components['schemas']['NoticeMode']
              lost: components['schemas']['NoticeMode']
              slow: components['schemas']['NoticeMode']
              certificates: components['schemas']['NoticeMode']
              credentials: components['schemas']['NoticeMode']
              security: components['schemas']['NoticeMode']
            }
            /** @description Webhooks that you get no emails about. */
            muted: components['schemas']['NamedWebhook'][]
            /** @description Your last test email. */
            last_test: components['schemas']['LastNoticeMessage'] | null
            /** @description The last email to your address, if it has bounced. */
            bounced: components['schemas']['LastNoticeMessage'] | null
          }
        }
      }
      default: components['responses']['Error']
    }
  }
  changeNoticePreferences: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Webhooks that fail, and those that work again. */
          failing?: components['schemas']['NoticeMode']
          /** @description Webhooks that Hookline disabled. */
          disabled?: components['schemas']['NoticeMode']
          /** @description Lost deliveries, and events on hold that will be lost soon. */
          lost?: components['schemas']['NoticeMode']
          /** @description Webhooks that respond close to the timeout. */
          slow?: components['schemas']['NoticeMode']
          /** @description TLS certificates of receivers that expire. */
          certificates?: components['schemas']['NoticeMode']
          /** @description API keys and secrets that expire, and deprecated credentials. */
          credentials?: components['schemas']['NoticeMode']
          /** @description Changes of members, keys, apps and other settings of the account. */
          security?: components['schemas']['NoticeMode']
        }
      }
    }
    responses: {
      /** @description Success. */
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
      /** @description **909**: CSRF check failed. Reload the page. */
      403: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  sendTestNotice: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
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
      /** @description **909**: CSRF check failed. Reload the page. */
      403: components['responses']['Error']
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      /** @description **1130**: This installation sends no email. Ask its operator for help. */
      409: components['responses']['Error']
      /** @description **907**: Too many failed attempts: passwords, codes, reset links, login names or authorization requests. Retry after `Retry-After`, or use an API key. */
      429: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  listNoticeChannels: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            channels: components['schemas']['NoticeChannel'][]
          }
        }
      }
      default: components['responses']['Error']
    }
  }
  createNoticeChannel: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          kind: components['schemas']['ChannelKind']
          /** @description Name for users, 1 to 100 characters. */
          name: string
          /** @description Groups of notices that are sent. Notices about logins are never sent to channels. */
          groups: ('failing' | 'disabled' | 'lost' | 'slow' | 'certificates' | 'credentials' | 'security')[]
          mode: components['schemas']['SendingMode']
          /** @description An email, or the URL of the incoming webhook. */
          target: string
        }
      }
    }
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            id: number
          }
        }
      }
      /** @description **1020**: Webhooks cannot be sent to this `target_url`. */
      400: components['responses']['Error']
      /** @description **909**: CSRF check failed. Reload the page. */
      403: components['responses']['Error']
      /**
       * @description **1130**: This installation sends no email. Ask its operator for help.
       *
       *     **1212**: Limit of channels for notices reached. Delete one first.
       */
      409: components['responses']['Error']
      /**
       * @description **1208**: Too many webhook changes, or actions recorded in the audit log, in this minute or day. Retry after `Retry-After`.
       *
       *     **907**: Too many failed attempts: passwords, codes, reset links, login names or authorization requests. Retry after `Retry-After`, or use an API key.
       */
      429: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  changeNoticeChannel: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the channel. */
        id: number
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Name for users, 1 to 100 characters. */
          name?: string
          /** @description Groups of notices that are sent. Notices about logins are never sent to channels. */
          groups?: ('failing' | 'disabled' | 'lost' | 'slow' | 'certificates' | 'credentials' | 'security')[]
          mode?: components['schemas']['SendingMode']
        }
      }
    }
    responses: {
      /** @description Success. */
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
      /** @description **909**: CSRF check failed. Reload the page. */
      403: components['responses']['Error']
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      /** @description **1208**: Too many webhook changes, or actions recorded in the audit log, in this minute or day. Retry after `Retry-After`. */
      429: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  deleteNoticeChannel: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the channel. */
        id: number
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
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
      /** @description **909**: CSRF check failed. Reload the page. */
      403: components['responses']['Error']
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  resendNoticeChannel: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the channel. */
        id: number
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
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
      /** @description **909**: CSRF check failed. Reload the page. */
      403: components['responses']['Error']
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      /** @description **1130**: This installation sends no email. Ask its operator for help. */
      409: components['responses']['Error']
      /**
       * @description **1208**: Too many webhook changes, or actions recorded in the audit log, in this minute or day. Retry after `Retry-After`.
       *
       *     **907**: Too many failed attempts: passwords, codes, reset links, login names or authorization requests. Retry after `Retry-After`, or use an API key.
       */
      429: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  testNoticeChannel: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the channel. */
        id: number
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
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
      /** @description **909**: CSRF check failed. Reload the page. */
      403: components['responses']['Error']
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      /** @description **1208**: Too many webhook changes, or actions recorded in the audit log, in this minute or day. Retry after `Retry-After`. */
      429: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  listEventTypes: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            event_types: components['schemas']['EventType'][]
          }
        }
      }
      default: components['responses']['Error']
    }
  }
  readEventSchemas: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            /** @description By event type. */
            schemas: {
              [key: string]: {
                data: {
                  [key: string]: unknown
                }
                samples: {
                  [key: string]: unknown
                }[]
              }
            }
          }
        }
      }
      default: components['responses']['Error']
    }
  }
  searchEvents: {
    parameters: {
      query?: {
        /** @description Free search: an event id, message id, number, foreign id or webhook id. */
        q?: string
        message_id?: string
        /** @description Sender or recipient: international (`+49 170 1234567`, `0049 1701234567` or `491701234567`), in the national form of the default country of the account (`0170 1234567`), or the last 6 or more digits (`234567`). */
        number?: string
        foreign_id?: string
        /** @description Event type. */
        type?: string
        hook_id?: number
        /** @description State of a delivery. For replayed deliveries, `state`, `status` and `reason` refer to the latest round. */
        state?: 'delivered' | 'failed' | 'expired' | 'cancelled' | 'waiting' | 'held'
        /** @description HTTP status of the response to an attempt. */
        status?: number
        /** @description Reason of an attempt or of a finished delivery. */
        reason?:
          | 'delivered'
          | 'status'
          | 'redirect'
          | 'gone'
          | 'timeout'
          | 'connect_timeout'
          | 'connection_refused'
          | 'connection_reset'
          | 'unreachable'
          | 'tls'
          | 'name_not_found'
          | 'invalid_response'
          | 'protocol_error'
          | 'forbidden_address'
          | 'own_address'
          | 'address_too_long'
          | 'body_too_large'
          | 'resolver_down'
          | 'no_resources'
          | 'internal'
          | 'hook_deleted'
          | 'too_late'
          | 'held_full'
          | 'held_too_long'
          | 'discarded'
          | 'stopped_too_long'
          | 'unloadable_too_long'
          | 'not_matched'
          | 'replay_cancelled'
          | 'quarantined'
          | 'retention'
        /** @description Only events accepted at this time or later. */
        from?: string
        /** @description Only events accepted before this time. */
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
      /** @description Success. */
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
            /** @description The webhooks of the deliveries. */
            webhooks: components['schemas']['NamedWebhook'][]
            next: string | null
            duration_ms: number
          }
        }
      }
      default: components['responses']['Error']
    }
  }
  exportEvents: {
    parameters: {
      query?: {
        /** @description Free search: an event id, message id, number, foreign id or webhook id. */
        q?: string
        message_id?: string
        /** @description Sender or recipient: international (`+49 170 1234567`, `0049 1701234567` or `491701234567`), in the national form of the default country of the account (`0170 1234567`), or the last 6 or more digits (`234567`). */
        number?: string
        foreign_id?: string
        /** @description Event type. */
        type?: string
        hook_id?: number
        /** @description State of a delivery. For replayed deliveries, `state`, `status` and `reason` refer to the latest round. */
        state?: 'delivered' | 'failed' | 'expired' | 'cancelled' | 'waiting' | 'held'
        /** @description HTTP status of the response to an attempt. */
        status?: number
        /** @description Reason of an attempt or of a finished delivery. */
        reason?:
          | 'delivered'
          | 'status'
          | 'redirect'
          | 'gone'
          | 'timeout'
          | 'connect_timeout'
          | 'connection_refused'
          | 'connection_reset'
          | 'unreachable'
          | 'tls'
          | 'name_not_found'
          | 'invalid_response'
          | 'protocol_error'
          | 'forbidden_address'
          | 'own_address'
          | 'address_too_long'
          | 'body_too_large'
          | 'resolver_down'
          | 'no_resources'
          | 'internal'
          | 'hook_deleted'
          | 'too_late'
          | 'held_full'
          | 'held_too_long'
          | 'discarded'
          | 'stopped_too_long'
          | 'unloadable_too_long'
          | 'not_matched'
          | 'replay_cancelled'
          | 'quarantined'
          | 'retention'
        /** @description Only events accepted at this time or later. */
        from?: string
        /** @description Only events accepted before this time. */
        to?: string
        /** @description Format of the file. */
        format?: 'jsonl' | 'csv'
        reveal?: boolean | ('true' | 'false')
        /** @description Why personal data is revealed, for the audit log. Required for members with a role below developer. */
        reveal_reason?: string
        cursor?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/jsonl; charset=utf-8': components['schemas']['Event']
        }
      }
      /** @description **1209**: Export limit reached. Wait until an export ends, or cancel one. */
      429: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  streamEvents: {
    parameters: {
      query?: {
        /** @description Free search: an event id, message id, number, foreign id or webhook id. */
        q?: string
        message_id?: string
        /** @description Sender or recipient: international (`+49 170 1234567`, `0049 1701234567` or `491701234567`), in the national form of the default country of the account (`0170 1234567`), or the last 6 or more digits (`234567`). */
        number?: string
        foreign_id?: string
        /** @description Event type. */
        type?: string
        /** @description `now`, a time such as 2026-11-15T09:30:00Z, or the id of the message to resume after. */
        from?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
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
      /** @description **1205**: Live tail limit reached. Close one first. */
      429: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  readEvent: {
    parameters: {
      query?: {
        reveal?: boolean | ('true' | 'false')
        /** @description Why personal data is revealed, for the audit log. Required for members with a role below developer. */
        reveal_reason?: string
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
      /** @description Success. */
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
              /** @description Masked except for the first four and last two characters. */
              from: string | null
              /** @description Masked except for the first four and last two characters. */
              to: string | null
              foreign_id: string | null
              is_test: boolean
              /** @description Whether the event has been matched against the webhooks. */
              is_routed: boolean
              deliveries: {
                hook_id: number
                /** @enum {string} */
                state: 'delivered' | 'failed' | 'expired' | 'cancelled' | 'waiting' | 'held'
                /** @description While the delivery is pending: the reason of its last attempt, null before the first. */
                reason: components['schemas']['DeliveryReason'] | null
                attempts: number
                /** @description 1 is the original delivery, each replay adds 1. */
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
              /** @enum {string} */
              type: 'accepted' | 'parked' | 'waiting' | 'matched' | 'attempt' | 'finished' | 'next_attempt'
              hook_id: number | null
              round: number | null
              attempt: number | null
              message: string
            }[]
          }
        }
      }
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      default: components['responses']['Error']
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
          /** @description Why personal data is revealed, for the audit log. Required for members with a role below developer. */
          reveal_reason?: string
        }
      }
    }
    responses: {
      /** @description Success. */
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
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  readCaller: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            account: {
              id: number
              name: string
            }
            /** @enum {string} */
            credential: 'basic-key' | 'bearer' | 'header-key' | 'parameter-key' | 'login-password' | 'session'
            key_id: number | null
            scopes: ('all' | 'hooks' | 'hooks:read' | 'events:read' | 'deliveries:replay')[]
          }
        }
      }
      default: components['responses']['Error']
    }
  }
  readOverview: {
    parameters: {
      query?: {
        range?: '1h' | '24h' | '7d' | '30d'
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            /** @description Webhooks with an alert, listed or not. */
            alerts_total: number
            alerts: {
              /** @enum {string} */
              kind: 'failing' | 'backing_off' | 'unloadable' | 'stopped' | 'degraded' | 'delayed' | 'disabled'
              message: string
              /** @description Description of the latest failure. Null without a recent failure. */
              why: string | null
              /** @description The latest failure. Null without a recent failure. */
              failure: {
                reason: components['schemas']['AttemptReason']
                status: number | null
              } | null
              hook_id: number
              webhook: components['schemas']['NamedWebhook'] | null
              since: string | null
              /** @description The next attempt, now or in the past if one is due. Null if none is scheduled. */
              next_attempt_at: string | null
              disabled_reason: components['schemas']['DisabledReason'] | null
              counters: components['schemas']['WebhookCounters']
            }[]
            totals: {
              events: number
              delivered: number
              failed: number
              expired: number
              cancelled: number
              /** @description Pending deliveries. */
              waiting: number
              /** @description Deliveries on hold for disabled webhooks. */
              held: number
              oldest_waiting_at: string | null
              /** @description Deliveries pending for more than 10 minutes since their event was accepted or, in a replay, since they were due. Deliveries on hold are not included. */
              overdue: number
              /** @description From 0 to 1: `delivered` / (`delivered` + `failed` + `expired` + `overdue`). Null without any of them. */
              success_rate: number | null
              /** @description 95th percentile of the newest 2,000 response times in the range. Null without responses. */
              receiver_p95_ms: number | null
            }
            buckets: {
              /** Format: date-time */
              start: string
              events: number
              delivered: number
              failed: number
              /** @description Attempts with this response. */
              status_2xx: number
              status_3xx: number
              status_4xx: number
              status_5xx: number
              timeouts: number
              /** @description Attempts that failed without a valid response. */
              connection_errors: number
              /** @description Median of the newest response times, up to 500 per bucket, by the time at which the event was accepted. Null without responses. */
              p50_ms: number | null
              p95_ms: number | null
              p99_ms: number | null
            }[]
            /** @description Only for `1h`: earlier minutes are incomplete, because at most the newest 20,000 events, deliveries and attempts are read. Null if all were read. */
            complete_from: string | null
          }
        }
      }
      default: components['responses']['Error']
    }
  }
  readOnboarding: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            /** @description Whether the dashboard shows the steps: while the account has no webhook, or is new and has few events, unless they were dismissed. */
            shown: boolean
            webhook_created: boolean
            /** @description Whether a test event or another event was delivered. */
            test_delivered: boolean
            /** @description Set by the user. Hookline cannot know whether a receiver verifies signatures. */
            signature_verified: boolean
          }
        }
      }
      default: components['responses']['Error']
    }
  }
  changeOnboarding: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          signature_verified?: boolean
          dismissed?: boolean
        }
      }
    }
    responses: {
      /** @description Success. */
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
      /** @description **909**: CSRF check failed. Reload the page. */
      403: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  readTestReceiver: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
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
             * Format: uri
             * @description Use it as `target_url`. Other accounts cannot.
             */
            url: string
            requests: components['schemas']['TestRequest'][]
          }
        }
      }
      default: components['responses']['Error']
    }
  }
  listConsumers: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            consumers: components['schemas']['Consumer'][]
          }
        }
      }
      default: components['responses']['Error']
    }
  }
  createConsumer: {
    parameters: {
      query?: never
      header?: {
        /** @description A new unique value for each call, such as a UUID. Repeating a call with its key has no further effect and returns the first response, with the header `idempotency-replayed: true`. Keys are kept for 24 hours, at most the newest 2,000 of an account. */
        'Idempotency-Key'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Unique name within the account. */
          name: string
          /** @description A webhook. The consumer then gets the events that match it now, as the requests that it would get. Its state does not matter. Instead of the type, filter and method below. */
          hook_id?: number | null
          /**
           * @description Event type to receive: a built-in type, or a type of the operator in `GET /api/event-types`. `rcs_mo` and `rcs_dlr` are older names of `rcs`, for inbound messages and status events only.
           * @example all
           * @example rcs
           * @example sms_mo
           * @example dlr
           * @example voice_call
           * @example voice_status
           * @example voice_dtmf
           * @example tracking
           * @example wa_mo
           * @example rcs_mo
           * @example rcs_dlr
           */
          event_type?: string
          /** @description Several event types, instead of `event_type`. Stored as type `all` with a filter on `event.type`. `event_filter` can then only be an expression after `cel:`. Without `rcs_mo` and `rcs_dlr`, which are parts of a type. */
          event_types?: string[]
          /** @description Null or empty for no filter. If the webhook has chosen types and the call names none, the types stay, and this is the filter beside them. */
          event_filter?: string | null
          /**
           * @description Format of the requests. Default: `JSON`.
           * @enum {string}
           */
          request_method?: 'POST' | 'GET' | 'JSON'
          /**
           * @description `newest` for events accepted from now on, `oldest` for everything that retention has kept, a time such as 2026-11-15T09:30:00Z, or a cursor to continue after. For a time, some events accepted up to five minutes earlier can come first.
           * @default newest
           */
          from?: string
        }
      }
    }
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            consumer: components['schemas']['Consumer']
          }
        }
      }
      /** @description **1022**: `event_filter` is neither a list of values nor a valid `cel:` expression, or it exceeds its budget on every event. */
      400: components['responses']['Error']
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      /**
       * @description **1113**: Another consumer of the account has this name.
       *
       *     **1210**: Consumer limit reached. Delete one first.
       *
       *     **1114**: Another call of the account has used the `Idempotency-Key` in the last 24 hours.
       */
      409: components['responses']['Error']
      /** @description **1208**: Too many webhook changes, or actions recorded in the audit log, in this minute or day. Retry after `Retry-After`. */
      429: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  readConsumer: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the consumer. */
        id: number
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            consumer: components['schemas']['Consumer']
          }
        }
      }
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  editConsumer: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the consumer. */
        id: number
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Unique name within the account. */
          name?: string
          /** @description A webhook. The consumer then gets the events that match it now, as the requests that it would get. Its state does not matter. Instead of the type, filter and method below. */
          hook_id?: number | null
          /**
           * @description Event type to receive: a built-in type, or a type of the operator in `GET /api/event-types`. `rcs_mo` and `rcs_dlr` are older names of `rcs`, for inbound messages and status events only.
           * @example all
           * @example rcs
           * @example sms_mo
           * @example dlr
           * @example voice_call
           * @example voice_status
           * @example voice_dtmf
           * @example tracking
           * @example wa_mo
           * @example rcs_mo
           * @example rcs_dlr
           */
          event_type?: string
          /** @description Several event types, instead of `event_type`. Stored as type `all` with a filter on `event.type`. `event_filter` can then only be an expression after `cel:`. Without `rcs_mo` and `rcs_dlr`, which are parts of a type. */
          event_types?: string[]
          /** @description Null or empty for no filter. If the webhook has chosen types and the call names none, the types stay, and this is the filter beside them. */
          event_filter?: string | null
          /**
           * @description Format of the requests. Default: `JSON`.
           * @enum {string}
           */
          request_method?: 'POST' | 'GET' | 'JSON'
        }
      }
    }
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            consumer: components['schemas']['Consumer']
          }
        }
      }
      /** @description **1022**: `event_filter` is neither a list of values nor a valid `cel:` expression, or it exceeds its budget on every event. */
      400: components['responses']['Error']
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      /** @description **1113**: Another consumer of the account has this name. */
      409: components['responses']['Error']
      /** @description **1208**: Too many webhook changes, or actions recorded in the audit log, in this minute or day. Retry after `Retry-After`. */
      429: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  deleteConsumer: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the consumer. */
        id: number
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
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
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  pollConsumer: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the consumer. */
        id: number
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /**
           * Format: uuid
           * @description The lease of this reader. Leave it out in the first poll.
           */
          lease?: string
          /**
           * @description Max events. A poll can return fewer, because a response has at most 512 KiB of requests.
           * @default 100
           */
          limit?: number
          /**
           * @description Seconds to wait for events if there are none.
           * @default 0
           */
          wait?: number
          /**
           * @description How long the lease lasts after this poll. Longer than the events take to be handled.
           * @default 60
           */
          lease_seconds?: number
          /** @description Returns the events after this cursor instead of those after the committed position. */
          after?: string
          /**
           * Format: uri
           * @description The URL that the requests are built and signed for, such as that of a receiver on your own machine. Nothing is sent to it.
           */
          target_url?: string
          /**
           * @description Builds the requests in this format.
           * @enum {string}
           */
          request_method?: 'POST' | 'GET' | 'JSON'
        }
      }
    }
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            events: {
              cursor: string
              /** Format: uuid */
              id: string
              type: string
              /** Format: date-time */
              accepted_at: string
              is_test: boolean
              /** @description The request that a worker would send now, with valid signatures. Null with a `reason`. */
              request: {
                /** @enum {string} */
                method: 'GET' | 'POST'
                url: string
                headers: {
                  name: string
                  value: string
                }[]
                /** @description The exact body in UTF-8. Empty for a GET. */
                body: string
              } | null
              /** @description Why there is no request: it would be too large. */
              reason: components['schemas']['AttemptReason'] | null
            }[]
            /** @description The position after everything that was read. Commit it when all events are handled, also if there are none. */
            cursor: string
            /** @description Whether another poll would return at once. */
            has_more: boolean
            /**
             * Format: uuid
             * @description Send it with the next poll and with commits.
             */
            lease: string
            /** Format: date-time */
            lease_until: string
            /** @description Events in this time were deleted by retention before the consumer read them. Otherwise null. */
            pruned: {
              /** Format: date-time */
              from: string
              /** Format: date-time */
              to: string
              /** @description Up to so many events. Null if unknown. */
              events: number | null
            } | null
          }
        }
      }
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      /**
       * @description **1109**: Another reader uses the consumer. Retry after `Retry-After`, when its lease may have ended.
       *
       *     **1112**: The reader has lost its lease: another took over, or the position was changed. Poll without `lease`.
       */
      409: components['responses']['Error']
      /** @description **1207**: Too many concurrent searches or other calls. Retry after `Retry-After`. */
      429: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  commitConsumer: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the consumer. */
        id: number
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /**
           * Format: uuid
           * @description The lease from the first poll of this reader.
           */
          lease: string
          /** @description The `cursor` of a poll, or of one of its events. */
          cursor: string
        }
      }
    }
    responses: {
      /** @description Success. */
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
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      /** @description **1112**: The reader has lost its lease: another took over, or the position was changed. Poll without `lease`. */
      409: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  releaseConsumer: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the consumer. */
        id: number
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /**
           * Format: uuid
           * @description The lease from the first poll of this reader.
           */
          lease: string
        }
      }
    }
    responses: {
      /** @description Success. */
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
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  seekConsumer: {
    parameters: {
      query?: never
      header?: {
        /** @description A new unique value for each call, such as a UUID. Repeating a call with its key has no further effect and returns the first response, with the header `idempotency-replayed: true`. Keys are kept for 24 hours, at most the newest 2,000 of an account. */
        'Idempotency-Key'?: string
      }
      path: {
        /** @description Id of the consumer. */
        id: number
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description `newest` for events accepted from now on, `oldest` for everything that retention has kept, a time such as 2026-11-15T09:30:00Z, or a cursor to continue after. For a time, some events accepted up to five minutes earlier can come first. */
          to: string
        }
      }
    }
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            consumer: components['schemas']['Consumer']
          }
        }
      }
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      /** @description **1114**: Another call of the account has used the `Idempotency-Key` in the last 24 hours. */
      409: components['responses']['Error']
      /** @description **1208**: Too many webhook changes, or actions recorded in the audit log, in this minute or day. Retry after `Retry-After`. */
      429: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  testConsumer: {
    parameters: {
      query?: never
      header?: {
        /** @description A new unique value for each call, such as a UUID. Repeating a call with its key has no further effect and returns the first response, with the header `idempotency-replayed: true`. Keys are kept for 24 hours, at most the newest 2,000 of an account. */
        'Idempotency-Key'?: string
      }
      path: {
        /** @description Id of the consumer. */
        id: number
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @default sms_mo */
          event_type?: string
          /** @description Fields that replace those of the sample. The event can have up to 8 KiB. */
          data?: {
            [key: string]: unknown
          }
        }
      }
    }
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            /** Format: uuid */
            event_id: string
          }
        }
      }
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      /** @description **1114**: Another call of the account has used the `Idempotency-Key` in the last 24 hours. */
      409: components['responses']['Error']
      /** @description **1208**: Too many webhook changes, or actions recorded in the audit log, in this minute or day. Retry after `Retry-After`. */
      429: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  readConsumerSecret: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the consumer. */
        id: number
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            /** @description Starts with `whsec_`. */
            secret: string
          }
        }
      }
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      /** @description **1208**: Too many webhook changes, or actions recorded in the audit log, in this minute or day. Retry after `Retry-After`. */
      429: components['responses']['Error']
      default: components['responses']['Error']
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
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            /** @description Deliveries that would be sent. */
            count: number
            /** @description False if the counts are lower bounds. */
            is_exact: boolean
            skipped: components['schemas']['ReplaySkipped']
            /** @description Disabled webhooks in the selection, up to 20. Enable them first to replay their deliveries. Empty without the scope `hooks:read`. */
            disabled_hooks: components['schemas']['NamedWebhook'][]
          }
        }
      }
      default: components['responses']['Error']
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
      /** @description Success. */
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
      default: components['responses']['Error']
    }
  }
  startReplay: {
    parameters: {
      query?: never
      header?: {
        /** @description A new unique value for each call, such as a UUID. Repeating a call with its key has no further effect and returns the first response, with the header `idempotency-replayed: true`. Keys are kept for 24 hours, at most the newest 2,000 of an account. */
        'Idempotency-Key'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          selection: components['schemas']['ReplaySelection']
          /**
           * @description Max deliveries started per second.
           * @default 50
           */
          max_per_second?: number
        }
      }
    }
    responses: {
      /** @description Success. */
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
       * @description **1206**: Replay limit reached. Wait for an unfinished replay, or cancel one.
       *
       *     **1114**: Another call of the account has used the `Idempotency-Key` in the last 24 hours.
       */
      409: components['responses']['Error']
      default: components['responses']['Error']
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
      /** @description Success. */
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
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      default: components['responses']['Error']
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
      /** @description Success. */
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
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      /** @description **1105**: Replay already finished or canceled. It can no longer be changed. */
      409: components['responses']['Error']
      default: components['responses']['Error']
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
      /** @description Success. */
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
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      /** @description **1105**: Replay already finished or canceled. It can no longer be changed. */
      409: components['responses']['Error']
      default: components['responses']['Error']
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
      /** @description Success. */
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
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      /** @description **1105**: Replay already finished or canceled. It can no longer be changed. */
      409: components['responses']['Error']
      default: components['responses']['Error']
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
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            session: components['schemas']['Session']
            login: components['schemas']['Login']
            account: components['schemas']['Account']
            member: components['schemas']['Membership']
            /** @description Your accounts, by name. `POST /api/session/account` switches to another one. */
            accounts: {
              id: number
              name: string
              role: components['schemas']['Role']
              is_suspended: boolean
            }[]
            sso: components['schemas']['SsoOrigin']
            /** @description Send it as `X-CSRF-Token` with every call that changes data. */
            csrf_token: string
          }
        }
      }
      default: components['responses']['Error']
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
          /** @description Alias or email. */
          login: string
          password: string
          /** @description Code of the authenticator app, or a recovery code. */
          code?: string
          /** @description A passkey in place of the code: its response to `details.passkey_options` of error 911. */
          passkey?: components['schemas']['PasskeyAssertion']
          /** @description Token from the link in the email. */
          invitation?: string
          /** @description After single sign-on failed in this browser because the user is not linked: links your login to this user, and starts a session of single sign-on in its account. */
          link_sso?: boolean
        }
      }
    }
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            session: components['schemas']['Session']
            login: components['schemas']['Login']
            account: components['schemas']['Account']
            member: components['schemas']['Membership']
            /** @description Your accounts, by name. `POST /api/session/account` switches to another one. */
            accounts: {
              id: number
              name: string
              role: components['schemas']['Role']
              is_suspended: boolean
            }[]
            sso: components['schemas']['SsoOrigin']
            /** @description Send it as `X-CSRF-Token` with every call that changes data. */
            csrf_token: string
          }
        }
      }
      /**
       * @description **1014**: Invitation revoked, expired or already used. Ask for another.
       *
       *     **1015**: The identity provider cannot be used, or its response was rejected. The message has the reason.
       */
      400: components['responses']['Error']
      /**
       * @description **911**: Second factor required: a code or a passkey. The password is correct. `details.allowed` of a sign-in lists the methods.
       *
       *     **912**: Two-factor code wrong or already used.
       *
       *     **915**: Passkey not accepted: unknown, removed, or its challenge expired or was used.
       */
      401: components['responses']['Error']
      /**
       * @description **909**: CSRF check failed. Reload the page.
       *
       *     **914**: The login is a member of no account, or not of this one. Ask an admin for an invitation.
       *
       *     **920**: The account requires single sign-on. Sign in with the identity provider of the account.
       */
      403: components['responses']['Error']
      /**
       * @description **1116**: The user is already a member of the account.
       *
       *     **1211**: Limit of members, invitations or accounts reached. Remove one first.
       */
      409: components['responses']['Error']
      default: components['responses']['Error']
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
      /** @description Success. */
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
      /** @description **909**: CSRF check failed. Reload the page. */
      403: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  switchAccount: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          account_id: number
        }
      }
    }
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            session: components['schemas']['Session']
            login: components['schemas']['Login']
            account: components['schemas']['Account']
            member: components['schemas']['Membership']
            /** @description Your accounts, by name. `POST /api/session/account` switches to another one. */
            accounts: {
              id: number
              name: string
              role: components['schemas']['Role']
              is_suspended: boolean
            }[]
            sso: components['schemas']['SsoOrigin']
            /** @description Send it as `X-CSRF-Token` with every call that changes data. */
            csrf_token: string
          }
        }
      }
      /**
       * @description **909**: CSRF check failed. Reload the page.
       *
       *     **914**: The login is a member of no account, or not of this one. Ask an admin for an invitation.
       *
       *     **904**: The account is suspended. Contact the operator.
       *
       *     **920**: The account requires single sign-on. Sign in with the identity provider of the account.
       */
      403: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  signInWithPasskey: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          passkey: components['schemas']['PasskeyAssertion']
          /** @description Token from the link in the email. */
          invitation?: string
        }
      }
    }
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            session: components['schemas']['Session']
            login: components['schemas']['Login']
            account: components['schemas']['Account']
            member: components['schemas']['Membership']
            /** @description Your accounts, by name. `POST /api/session/account` switches to another one. */
            accounts: {
              id: number
              name: string
              role: components['schemas']['Role']
              is_suspended: boolean
            }[]
            sso: components['schemas']['SsoOrigin']
            /** @description Send it as `X-CSRF-Token` with every call that changes data. */
            csrf_token: string
          }
        }
      }
      /** @description **1014**: Invitation revoked, expired or already used. Ask for another. */
      400: components['responses']['Error']
      /** @description **915**: Passkey not accepted: unknown, removed, or its challenge expired or was used. */
      401: components['responses']['Error']
      /**
       * @description **909**: CSRF check failed. Reload the page.
       *
       *     **914**: The login is a member of no account, or not of this one. Ask an admin for an invitation.
       *
       *     **920**: The account requires single sign-on. Sign in with the identity provider of the account.
       */
      403: components['responses']['Error']
      /**
       * @description **1116**: The user is already a member of the account.
       *
       *     **1211**: Limit of members, invitations or accounts reached. Remove one first.
       */
      409: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  startPasskeySignIn: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            options: components['schemas']['PasskeyRequestOptions']
          }
        }
      }
      /** @description **909**: CSRF check failed. Reload the page. */
      403: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  startConfirmation: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            options: components['schemas']['PasskeyRequestOptions']
          }
        }
      }
      /** @description **909**: CSRF check failed. Reload the page. */
      403: components['responses']['Error']
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  startSso: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Public id of the connection. */
          connection?: string
          /** @description Work email. Only its domain is used. */
          email?: string
          /** @description Path of this service at which the browser continues. Default: `/`. */
          return_path?: string
        }
      }
    }
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            /** @description URL of the provider. Open it in this browser within 10 minutes. */
            url: string
          }
        }
      }
      /** @description **1015**: The identity provider cannot be used, or its response was rejected. The message has the reason. */
      400: components['responses']['Error']
      /** @description **909**: CSRF check failed. Reload the page. */
      403: components['responses']['Error']
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      /** @description **907**: Too many failed attempts: passwords, codes, reset links, login names or authorization requests. Retry after `Retry-After`, or use an API key. */
      429: components['responses']['Error']
      /** @description **1301**: Service unavailable. Retry after `Retry-After` seconds. */
      503: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  readSso: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            connection: components['schemas']['SsoConnection'] | null
            /** @description Register it at the provider. It does not change with the connection. */
            redirect_uri: string
            domains: components['schemas']['SsoDomain'][]
            /** @description Owners who can sign in without the provider, with two-factor authentication. */
            break_glass_login_ids: number[]
          }
        }
      }
      default: components['responses']['Error']
    }
  }
  configureSso: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Name for users, such as "Okta". */
          name: string
          /** @description Issuer URL, exactly as the provider names it. */
          issuer: string
          client_id: string
          /** @description Write-only. Null for a client without a secret. Without it, the stored secret of the same client is kept. */
          client_secret?: string | null
          /** @description Your password. Required without `passkey`. */
          password?: string
          /** @description Your passkey in place of the password: its response to the options of `POST /api/session/confirm/options`. */
          passkey?: components['schemas']['PasskeyAssertion']
        }
      }
    }
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            connection: components['schemas']['SsoConnection'] | null
            /** @description Register it at the provider. It does not change with the connection. */
            redirect_uri: string
            domains: components['schemas']['SsoDomain'][]
            /** @description Owners who can sign in without the provider, with two-factor authentication. */
            break_glass_login_ids: number[]
          }
        }
      }
      /** @description **1015**: The identity provider cannot be used, or its response was rejected. The message has the reason. */
      400: components['responses']['Error']
      /** @description **915**: Passkey not accepted: unknown, removed, or its challenge expired or was used. */
      401: components['responses']['Error']
      /**
       * @description **909**: CSRF check failed. Reload the page.
       *
       *     **910**: Wrong password in a confirmation.
       *
       *     **921**: A session of single sign-on is in one account and cannot change the login itself. Sign in with your password.
       */
      403: components['responses']['Error']
      /** @description **1301**: Service unavailable. Retry after `Retry-After` seconds. */
      503: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  removeSso: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Your password. Required without `passkey`. */
          password?: string
          /** @description Your passkey in place of the password: its response to the options of `POST /api/session/confirm/options`. */
          passkey?: components['schemas']['PasskeyAssertion']
        }
      }
    }
    responses: {
      /** @description Success. */
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
      /** @description **915**: Passkey not accepted: unknown, removed, or its challenge expired or was used. */
      401: components['responses']['Error']
      /**
       * @description **909**: CSRF check failed. Reload the page.
       *
       *     **910**: Wrong password in a confirmation.
       *
       *     **921**: A session of single sign-on is in one account and cannot change the login itself. Sign in with your password.
       */
      403: components['responses']['Error']
      /** @description **1140**: The account has no single sign-on. An owner can set it up. */
      409: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  changeSsoSettings: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Members sign in only through the provider. */
          is_required?: boolean
          /** @description Role of users of verified domains who join by signing in. Null: nobody joins by signing in. */
          default_role?: ('viewer' | 'support' | 'developer') | null
          /** @description Users who join may reveal personal data. */
          can_reveal?: boolean
          /** @description Users who join may export data. */
          can_export?: boolean
          /** @description Owners with two-factor authentication who can sign in without the provider. */
          break_glass_login_ids?: number[]
          /** @description Your password. Required without `passkey`. */
          password?: string
          /** @description Your passkey in place of the password: its response to the options of `POST /api/session/confirm/options`. */
          passkey?: components['schemas']['PasskeyAssertion']
        }
      }
    }
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            connection: components['schemas']['SsoConnection'] | null
            /** @description Register it at the provider. It does not change with the connection. */
            redirect_uri: string
            domains: components['schemas']['SsoDomain'][]
            /** @description Owners who can sign in without the provider, with two-factor authentication. */
            break_glass_login_ids: number[]
          }
        }
      }
      /** @description **915**: Passkey not accepted: unknown, removed, or its challenge expired or was used. */
      401: components['responses']['Error']
      /**
       * @description **909**: CSRF check failed. Reload the page.
       *
       *     **910**: Wrong password in a confirmation.
       *
       *     **921**: A session of single sign-on is in one account and cannot change the login itself. Sign in with your password.
       */
      403: components['responses']['Error']
      /**
       * @description **1140**: The account has no single sign-on. An owner can set it up.
       *
       *     **1143**: An account that requires single sign-on keeps an owner with two-factor authentication who can sign in without.
       */
      409: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  addSsoDomain: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          domain: string
        }
      }
    }
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            domain: components['schemas']['SsoDomain']
          }
        }
      }
      /**
       * @description **909**: CSRF check failed. Reload the page.
       *
       *     **921**: A session of single sign-on is in one account and cannot change the login itself. Sign in with your password.
       */
      403: components['responses']['Error']
      /** @description **1208**: Too many webhook changes, or actions recorded in the audit log, in this minute or day. Retry after `Retry-After`. */
      429: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  verifySsoDomain: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the domain. */
        id: number
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            domain: components['schemas']['SsoDomain']
          }
        }
      }
      /**
       * @description **909**: CSRF check failed. Reload the page.
       *
       *     **921**: A session of single sign-on is in one account and cannot change the login itself. Sign in with your password.
       */
      403: components['responses']['Error']
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      /**
       * @description **1142**: The DNS record that proves the domain was not found. Add it, then try again.
       *
       *     **1141**: Another account has verified the domain. Contact the operator.
       */
      409: components['responses']['Error']
      /** @description **1208**: Too many webhook changes, or actions recorded in the audit log, in this minute or day. Retry after `Retry-After`. */
      429: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  removeSsoDomain: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the domain. */
        id: number
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
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
       * @description **909**: CSRF check failed. Reload the page.
       *
       *     **921**: A session of single sign-on is in one account and cannot change the login itself. Sign in with your password.
       */
      403: components['responses']['Error']
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  linkSso: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Your password. Required without `passkey`. */
          password?: string
          /** @description Your passkey in place of the password: its response to the options of `POST /api/session/confirm/options`. */
          passkey?: components['schemas']['PasskeyAssertion']
          /** @description Path of this service at which the browser continues. Default: `/`. */
          return_path?: string
        }
      }
    }
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            /** @description URL of the provider. Open it in this browser within 10 minutes. */
            url: string
          }
        }
      }
      /** @description **1015**: The identity provider cannot be used, or its response was rejected. The message has the reason. */
      400: components['responses']['Error']
      /** @description **915**: Passkey not accepted: unknown, removed, or its challenge expired or was used. */
      401: components['responses']['Error']
      /**
       * @description **909**: CSRF check failed. Reload the page.
       *
       *     **910**: Wrong password in a confirmation.
       *
       *     **921**: A session of single sign-on is in one account and cannot change the login itself. Sign in with your password.
       */
      403: components['responses']['Error']
      /** @description **1140**: The account has no single sign-on. An owner can set it up. */
      409: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  confirmSso: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Path of this service at which the browser continues. Default: `/`. */
          return_path?: string
        }
      }
    }
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            /** @description URL of the provider. Open it in this browser within 10 minutes. */
            url: string
          }
        }
      }
      /** @description **1015**: The identity provider cannot be used, or its response was rejected. The message has the reason. */
      400: components['responses']['Error']
      /** @description **909**: CSRF check failed. Reload the page. */
      403: components['responses']['Error']
      /** @description **1140**: The account has no single sign-on. An owner can set it up. */
      409: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  listSsoIdentities: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            identities: components['schemas']['SsoIdentity'][]
          }
        }
      }
      default: components['responses']['Error']
    }
  }
  unlinkSsoIdentity: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the identity. */
        id: number
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
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
       * @description **909**: CSRF check failed. Reload the page.
       *
       *     **921**: A session of single sign-on is in one account and cannot change the login itself. Sign in with your password.
       */
      403: components['responses']['Error']
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  readDashboardConfig: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            config: {
              /** @description Whether anyone can create an account. */
              registration: boolean
              /**
               * @description Whether passwords are reset by email or by the operator.
               * @enum {string}
               */
              password_reset: 'mail' | 'operator'
              operator_contact: string | null
              /** @description Whether this browser has a valid session. */
              is_signed_in: boolean
              scopes: {
                /** @enum {string} */
                scope: 'all' | 'hooks' | 'hooks:read' | 'events:read' | 'deliveries:replay'
                description: string
              }[]
            }
          }
        }
      }
      default: components['responses']['Error']
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
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            session: components['schemas']['Session']
            login: components['schemas']['Login']
            account: components['schemas']['Account']
            member: components['schemas']['Membership']
            /** @description Your accounts, by name. `POST /api/session/account` switches to another one. */
            accounts: {
              id: number
              name: string
              role: components['schemas']['Role']
              is_suspended: boolean
            }[]
            sso: components['schemas']['SsoOrigin']
            /** @description Send it as `X-CSRF-Token` with every call that changes data. */
            csrf_token: string
          }
        }
      }
      /** @description **909**: CSRF check failed. Reload the page. */
      403: components['responses']['Error']
      /** @description **1110**: Not found. Nothing is served at this path. */
      404: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  requestPasswordReset: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Alias or email. */
          login: string
        }
      }
    }
    responses: {
      /** @description Success. */
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
      /** @description **909**: CSRF check failed. Reload the page. */
      403: components['responses']['Error']
      /** @description **1130**: This installation sends no email. Ask its operator for help. */
      409: components['responses']['Error']
      default: components['responses']['Error']
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
          /** @description Token from the link in the email. */
          token: string
          new_password: string
          /**
           * @description Keeps API keys, OAuth apps and authorizations.
           * @default false
           */
          keep_access?: boolean
        }
      }
    }
    responses: {
      /** @description Success. */
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
      /** @description **1013**: Reset link invalid or expired. Request another. */
      400: components['responses']['Error']
      /** @description **909**: CSRF check failed. Reload the page. */
      403: components['responses']['Error']
      default: components['responses']['Error']
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
      /** @description Success. */
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
              /** @description Whether this is the session of the call. */
              is_current: boolean
              /** Format: date-time */
              created_at: string
              /**
               * Format: date-time
               * @description Accurate to the minute.
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
      default: components['responses']['Error']
    }
  }
  revokeOtherSessions: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            /** @description Number of revoked sessions. */
            revoked: number
          }
        }
      }
      /** @description **909**: CSRF check failed. Reload the page. */
      403: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  revokeSession: {
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
      /** @description Success. */
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
      /** @description **909**: CSRF check failed. Reload the page. */
      403: components['responses']['Error']
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      default: components['responses']['Error']
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
          /** @description Required without `passkey`. */
          current_password?: string
          /** @description Your passkey in place of the password: its response to the options of `POST /api/session/confirm/options`. */
          passkey?: components['schemas']['PasskeyAssertion']
          new_password: string
        }
      }
    }
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            session: components['schemas']['Session']
            login: components['schemas']['Login']
            account: components['schemas']['Account']
            member: components['schemas']['Membership']
            /** @description Your accounts, by name. `POST /api/session/account` switches to another one. */
            accounts: {
              id: number
              name: string
              role: components['schemas']['Role']
              is_suspended: boolean
            }[]
            sso: components['schemas']['SsoOrigin']
            /** @description Send it as `X-CSRF-Token` with every call that changes data. */
            csrf_token: string
          }
        }
      }
      /** @description **915**: Passkey not accepted: unknown, removed, or its challenge expired or was used. */
      401: components['responses']['Error']
      /**
       * @description **909**: CSRF check failed. Reload the page.
       *
       *     **910**: Wrong password in a confirmation.
       */
      403: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  startSecondFactor: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Your password. Required without `passkey`. */
          password?: string
          /** @description Your passkey in place of the password: its response to the options of `POST /api/session/confirm/options`. */
          passkey?: components['schemas']['PasskeyAssertion']
        }
      }
    }
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            /** @description Secret in base32, for manual entry. */
            secret: string
            /** @description `otpauth://…` URI, for a QR code. */
            uri: string
          }
        }
      }
      /** @description **915**: Passkey not accepted: unknown, removed, or its challenge expired or was used. */
      401: components['responses']['Error']
      /**
       * @description **909**: CSRF check failed. Reload the page.
       *
       *     **910**: Wrong password in a confirmation.
       */
      403: components['responses']['Error']
      /** @description **1131**: Two-factor authentication is already on. Remove it before you set it up again. */
      409: components['responses']['Error']
      default: components['responses']['Error']
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
          /** @description Your password. Required without `passkey`. */
          password?: string
          /** @description Your passkey in place of the password: its response to the options of `POST /api/session/confirm/options`. */
          passkey?: components['schemas']['PasskeyAssertion']
        }
      }
    }
    responses: {
      /** @description Success. */
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
      /** @description **915**: Passkey not accepted: unknown, removed, or its challenge expired or was used. */
      401: components['responses']['Error']
      /**
       * @description **909**: CSRF check failed. Reload the page.
       *
       *     **910**: Wrong password in a confirmation.
       */
      403: components['responses']['Error']
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      /** @description **1143**: An account that requires single sign-on keeps an owner with two-factor authentication who can sign in without. */
      409: components['responses']['Error']
      default: components['responses']['Error']
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
          /** @description Code of the authenticator app. */
          code: string
        }
      }
    }
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            /** @description Ten recovery codes, if the login had no two-factor authentication before. Each works once. They are not shown again. */
            recovery_codes: string[]
          }
        }
      }
      /** @description **912**: Two-factor code wrong or already used. */
      401: components['responses']['Error']
      /** @description **909**: CSRF check failed. Reload the page. */
      403: components['responses']['Error']
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  listPasskeys: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            passkeys: components['schemas']['Passkey'][]
          }
        }
      }
      default: components['responses']['Error']
    }
  }
  addPasskey: {
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
          registration: components['schemas']['PasskeyRegistration']
        }
      }
    }
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            passkey: components['schemas']['Passkey']
            /** @description Ten recovery codes, if the login had no two-factor authentication before. Each works once. They are not shown again. */
            recovery_codes: string[]
          }
        }
      }
      /** @description **915**: Passkey not accepted: unknown, removed, or its challenge expired or was used. */
      401: components['responses']['Error']
      /** @description **909**: CSRF check failed. Reload the page. */
      403: components['responses']['Error']
      /** @description **1213**: Limit of passkeys reached. Remove one first. */
      409: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  startPasskey: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Your password. Required without `passkey`. */
          password?: string
          /** @description Your passkey in place of the password: its response to the options of `POST /api/session/confirm/options`. */
          passkey?: components['schemas']['PasskeyAssertion']
        }
      }
    }
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            options: components['schemas']['PasskeyCreationOptions']
          }
        }
      }
      /** @description **915**: Passkey not accepted: unknown, removed, or its challenge expired or was used. */
      401: components['responses']['Error']
      /**
       * @description **909**: CSRF check failed. Reload the page.
       *
       *     **910**: Wrong password in a confirmation.
       */
      403: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  renamePasskey: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the passkey. */
        id: number
      }
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
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            passkey: components['schemas']['Passkey']
          }
        }
      }
      /** @description **909**: CSRF check failed. Reload the page. */
      403: components['responses']['Error']
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  removePasskey: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the passkey. */
        id: number
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Your password. Required without `passkey`. */
          password?: string
          /** @description Your passkey in place of the password: its response to the options of `POST /api/session/confirm/options`. */
          passkey?: components['schemas']['PasskeyAssertion']
        }
      }
    }
    responses: {
      /** @description Success. */
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
      /** @description **915**: Passkey not accepted: unknown, removed, or its challenge expired or was used. */
      401: components['responses']['Error']
      /**
       * @description **909**: CSRF check failed. Reload the page.
       *
       *     **910**: Wrong password in a confirmation.
       */
      403: components['responses']['Error']
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      /** @description **1143**: An account that requires single sign-on keeps an owner with two-factor authentication who can sign in without. */
      409: components['responses']['Error']
      default: components['responses']['Error']
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
      /** @description Success. */
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
      /** @description **909**: CSRF check failed. Reload the page. */
      403: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  readCountry: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            /** @description Two-letter code of ISO 3166-1, such as DE. */
            country: string | null
            countries: string[]
          }
        }
      }
      default: components['responses']['Error']
    }
  }
  setCountry: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          country: string | null
        }
      }
    }
    responses: {
      /** @description Success. */
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
      /** @description **909**: CSRF check failed. Reload the page. */
      403: components['responses']['Error']
      default: components['responses']['Error']
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
          /** @description Your password. Required without `passkey`. */
          password?: string
          /** @description Your passkey in place of the password: its response to the options of `POST /api/session/confirm/options`. */
          passkey?: components['schemas']['PasskeyAssertion']
        }
      }
    }
    responses: {
      /** @description Success. */
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
      /** @description **915**: Passkey not accepted: unknown, removed, or its challenge expired or was used. */
      401: components['responses']['Error']
      /**
       * @description **909**: CSRF check failed. Reload the page.
       *
       *     **910**: Wrong password in a confirmation.
       */
      403: components['responses']['Error']
      /** @description **1130**: This installation sends no email. Ask its operator for help. */
      409: components['responses']['Error']
      default: components['responses']['Error']
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
      /** @description Success. */
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
      /** @description **909**: CSRF check failed. Reload the page. */
      403: components['responses']['Error']
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      /** @description **1130**: This installation sends no email. Ask its operator for help. */
      409: components['responses']['Error']
      default: components['responses']['Error']
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
          /** @description Token from the link in the email. */
          token: string
        }
      }
    }
    responses: {
      /** @description Success. */
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
      /** @description **1013**: Reset link invalid or expired. Request another. */
      400: components['responses']['Error']
      /** @description **909**: CSRF check failed. Reload the page. */
      403: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  listAudit: {
    parameters: {
      query?: {
        /** @description Returns only entries older than the entry with this id. */
        before?: number
        limit?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
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
              /** @description `login:`, `key:` or `app:` with an id, or `operator`, `service`, or `visitor` for an anonymous user. */
              actor: string
              /** @description Name of the login, key or app. */
              actor_name: string | null
              action: components['schemas']['AuditAction']
              subject: string
              /** @description Alias of a subject such as `login:7`, also of a former member. */
              member: string | null
              /** @description Webhook of a subject such as `hook:7`. */
              webhook: components['schemas']['NamedWebhook'] | null
              detail: {
                [key: string]: unknown
              }
            }[]
            next: number | null
          }
        }
      }
      default: components['responses']['Error']
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
      /** @description Success. */
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
            action: components['schemas']['AuditAction']
            subject: string
            detail: {
              [key: string]: unknown
            }
          }
        }
      }
      default: components['responses']['Error']
    }
  }
  listMembers: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            members: components['schemas']['Member'][]
          }
        }
      }
      default: components['responses']['Error']
    }
  }
  changeMember: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the login. */
        id: number
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          role?: components['schemas']['Role']
          /** @description May see numbers, texts and requests unmasked. */
          can_reveal?: boolean
          /** @description May download events and the audit log. */
          can_export?: boolean
        }
      }
    }
    responses: {
      /** @description Success. */
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
      /** @description **909**: CSRF check failed. Reload the page. */
      403: components['responses']['Error']
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      /**
       * @description **1115**: The last owner of the account. Make another member an owner first.
       *
       *     **1143**: An account that requires single sign-on keeps an owner with two-factor authentication who can sign in without.
       */
      409: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  removeMember: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the login. */
        id: number
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            /** @description Valid secrets that the member has created or seen. Rotate or revoke them. */
            secrets: components['schemas']['HeldSecret'][]
          }
        }
      }
      /** @description **909**: CSRF check failed. Reload the page. */
      403: components['responses']['Error']
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      /**
       * @description **1115**: The last owner of the account. Make another member an owner first.
       *
       *     **1143**: An account that requires single sign-on keeps an owner with two-factor authentication who can sign in without.
       */
      409: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  listMemberSecrets: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the login. */
        id: number
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            /** @description Valid secrets that the member has created or seen. Rotate or revoke them. */
            secrets: components['schemas']['HeldSecret'][]
          }
        }
      }
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  transferOwnership: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the login that becomes an owner. */
        id: number
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Your password. Required without `passkey`. */
          password?: string
          /** @description Your passkey in place of the password: its response to the options of `POST /api/session/confirm/options`. */
          passkey?: components['schemas']['PasskeyAssertion']
        }
      }
    }
    responses: {
      /** @description Success. */
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
      /** @description **915**: Passkey not accepted: unknown, removed, or its challenge expired or was used. */
      401: components['responses']['Error']
      /**
       * @description **909**: CSRF check failed. Reload the page.
       *
       *     **910**: Wrong password in a confirmation.
       *
       *     **922**: Sign in with the identity provider again to confirm the operation.
       */
      403: components['responses']['Error']
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      /** @description **1143**: An account that requires single sign-on keeps an owner with two-factor authentication who can sign in without. */
      409: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  listInvitations: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            invitations: components['schemas']['Invitation'][]
          }
        }
      }
      default: components['responses']['Error']
    }
  }
  createInvitation: {
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
          role: components['schemas']['Role']
          /** @description Default: true from the role developer, if you have the right. */
          can_reveal?: boolean
          /** @description Default: true from the role developer, if you have the right. */
          can_export?: boolean
        }
      }
    }
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            id: number
          }
        }
      }
      /** @description **909**: CSRF check failed. Reload the page. */
      403: components['responses']['Error']
      /**
       * @description **1130**: This installation sends no email. Ask its operator for help.
       *
       *     **1116**: The user is already a member of the account.
       *
       *     **1211**: Limit of members, invitations or accounts reached. Remove one first.
       */
      409: components['responses']['Error']
      /** @description **1208**: Too many webhook changes, or actions recorded in the audit log, in this minute or day. Retry after `Retry-After`. */
      429: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  readInvitation: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Token from the link in the email. */
          token: string
        }
      }
    }
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            invitation: {
              account_name: string
              email: string
              role: components['schemas']['Role']
              invited_by: string
              /** Format: date-time */
              expires_at: string
              /** @description Whether a login has the email. It signs in to accept. */
              has_login: boolean
            }
          }
        }
      }
      /** @description **1014**: Invitation revoked, expired or already used. Ask for another. */
      400: components['responses']['Error']
      /** @description **909**: CSRF check failed. Reload the page. */
      403: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  acceptInvitation: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Token from the link in the email. */
          token: string
        }
      }
    }
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            session: components['schemas']['Session']
            login: components['schemas']['Login']
            account: components['schemas']['Account']
            member: components['schemas']['Membership']
            /** @description Your accounts, by name. `POST /api/session/account` switches to another one. */
            accounts: {
              id: number
              name: string
              role: components['schemas']['Role']
              is_suspended: boolean
            }[]
            sso: components['schemas']['SsoOrigin']
            /** @description Send it as `X-CSRF-Token` with every call that changes data. */
            csrf_token: string
          }
        }
      }
      /** @description **1014**: Invitation revoked, expired or already used. Ask for another. */
      400: components['responses']['Error']
      /**
       * @description **909**: CSRF check failed. Reload the page.
       *
       *     **920**: The account requires single sign-on. Sign in with the identity provider of the account.
       *
       *     **921**: A session of single sign-on is in one account and cannot change the login itself. Sign in with your password.
       */
      403: components['responses']['Error']
      /**
       * @description **1116**: The user is already a member of the account.
       *
       *     **1211**: Limit of members, invitations or accounts reached. Remove one first.
       */
      409: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  registerInvited: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Token from the link in the email. */
          token: string
          alias: string
          password: string
        }
      }
    }
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            session: components['schemas']['Session']
            login: components['schemas']['Login']
            account: components['schemas']['Account']
            member: components['schemas']['Membership']
            /** @description Your accounts, by name. `POST /api/session/account` switches to another one. */
            accounts: {
              id: number
              name: string
              role: components['schemas']['Role']
              is_suspended: boolean
            }[]
            sso: components['schemas']['SsoOrigin']
            /** @description Send it as `X-CSRF-Token` with every call that changes data. */
            csrf_token: string
          }
        }
      }
      /** @description **1014**: Invitation revoked, expired or already used. Ask for another. */
      400: components['responses']['Error']
      /**
       * @description **909**: CSRF check failed. Reload the page.
       *
       *     **920**: The account requires single sign-on. Sign in with the identity provider of the account.
       */
      403: components['responses']['Error']
      /** @description **1116**: The user is already a member of the account. */
      409: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  resendInvitation: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the invitation. */
        id: number
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
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
      /** @description **909**: CSRF check failed. Reload the page. */
      403: components['responses']['Error']
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      /** @description **1130**: This installation sends no email. Ask its operator for help. */
      409: components['responses']['Error']
      /** @description **1208**: Too many webhook changes, or actions recorded in the audit log, in this minute or day. Retry after `Retry-After`. */
      429: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  revokeInvitation: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the invitation. */
        id: number
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
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
      /** @description **909**: CSRF check failed. Reload the page. */
      403: components['responses']['Error']
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      default: components['responses']['Error']
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
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            keys: components['schemas']['ApiKey'][]
          }
        }
      }
      default: components['responses']['Error']
    }
  }
  createKey: {
    parameters: {
      query?: never
      header?: {
        /** @description A new unique value for each call, such as a UUID. Repeating a call with its key has no further effect and returns the first response, with the header `idempotency-replayed: true`. Keys are kept for 24 hours, at most the newest 2,000 of an account. */
        'Idempotency-Key'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Name of the key. */
          name: string
          /** @description Scopes of the key. */
          scopes: ('all' | 'hooks' | 'hooks:read' | 'events:read' | 'deliveries:replay')[]
          /** @description Expiry time. */
          expires_at?: string | null
          /** @description Allowed IP addresses and networks. Empty for no restriction. */
          allowed_ips?: string[] | null
          /** @description Accept only signed calls with this key. Default: false. */
          signed_calls_required?: boolean | null
        }
      }
    }
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            key: components['schemas']['ApiKey']
            /** @description The full API key. */
            secret: string
          }
        }
      }
      /** @description **909**: CSRF check failed. Reload the page. */
      403: components['responses']['Error']
      /**
       * @description **1203**: API key limit reached. Revoke one first.
       *
       *     **1114**: Another call of the account has used the `Idempotency-Key` in the last 24 hours.
       */
      409: components['responses']['Error']
      default: components['responses']['Error']
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
          /** @description Your password. Required without `passkey`. */
          password?: string
          /** @description Your passkey in place of the password: its response to the options of `POST /api/session/confirm/options`. */
          passkey?: components['schemas']['PasskeyAssertion']
        }
      }
    }
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            /** @description The full API key. */
            secret: string
          }
        }
      }
      /** @description **915**: Passkey not accepted: unknown, removed, or its challenge expired or was used. */
      401: components['responses']['Error']
      /**
       * @description **909**: CSRF check failed. Reload the page.
       *
       *     **910**: Wrong password in a confirmation.
       *
       *     **922**: Sign in with the identity provider again to confirm the operation.
       */
      403: components['responses']['Error']
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      /** @description **1106**: The API key was imported as a digest and cannot be revealed. */
      409: components['responses']['Error']
      default: components['responses']['Error']
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
      /** @description Success. */
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
      /** @description **909**: CSRF check failed. Reload the page. */
      403: components['responses']['Error']
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  readSigningSettings: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            /** @description Whether every call with an API credential must be signed. */
            signed_calls_required: boolean
            /** @description Time at which deliveries switch to the next key. Null without a next key. */
            switches_at: string | null
          }
        }
      }
      default: components['responses']['Error']
    }
  }
  requireSignedCalls: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          signed_calls_required: boolean
        }
      }
    }
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            signed_calls_required: boolean
          }
        }
      }
      /** @description **909**: CSRF check failed. Reload the page. */
      403: components['responses']['Error']
      /** @description **1208**: Too many webhook changes, or actions recorded in the audit log, in this minute or day. Retry after `Retry-After`. */
      429: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  viewSigningKey: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            /** @description Signs `X-Signature` of deliveries and of calls. */
            signing_key: string
            /** @description Calls can already be signed with this key. Null outside of a rotation. */
            next_signing_key: string | null
            /** @description Time at which deliveries switch to the next key. Null without a next key. */
            switches_at: string | null
          }
        }
      }
      /** @description **1208**: Too many webhook changes, or actions recorded in the audit log, in this minute or day. Retry after `Retry-After`. */
      429: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  rotateSigningKey: {
    parameters: {
      query?: never
      header?: {
        /** @description A new unique value for each call, such as a UUID. Repeating a call with its key has no further effect and returns the first response, with the header `idempotency-replayed: true`. Keys are kept for 24 hours, at most the newest 2,000 of an account. */
        'Idempotency-Key'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            /** @description Signs `X-Signature` of deliveries and of calls. */
            signing_key: string
            /** @description Calls can already be signed with this key. Null outside of a rotation. */
            next_signing_key: string | null
            /** @description Time at which deliveries switch to the next key. Null without a next key. */
            switches_at: string | null
          }
        }
      }
      /** @description **1114**: Another call of the account has used the `Idempotency-Key` in the last 24 hours. */
      409: components['responses']['Error']
      /** @description **1208**: Too many webhook changes, or actions recorded in the audit log, in this minute or day. Retry after `Retry-After`. */
      429: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  switchSigningKey: {
    parameters: {
      query?: never
      header?: {
        /** @description A new unique value for each call, such as a UUID. Repeating a call with its key has no further effect and returns the first response, with the header `idempotency-replayed: true`. Keys are kept for 24 hours, at most the newest 2,000 of an account. */
        'Idempotency-Key'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            /** @description Signs `X-Signature` of deliveries and of calls. */
            signing_key: string
            /** @description Calls can already be signed with this key. Null outside of a rotation. */
            next_signing_key: string | null
            /** @description Time at which deliveries switch to the next key. Null without a next key. */
            switches_at: string | null
          }
        }
      }
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      /** @description **1114**: Another call of the account has used the `Idempotency-Key` in the last 24 hours. */
      409: components['responses']['Error']
      /** @description **1208**: Too many webhook changes, or actions recorded in the audit log, in this minute or day. Retry after `Retry-After`. */
      429: components['responses']['Error']
      default: components['responses']['Error']
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
      /** @description Success. */
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
      default: components['responses']['Error']
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
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            apps: components['schemas']['OAuthApp'][]
          }
        }
      }
      default: components['responses']['Error']
    }
  }
  createApp: {
    parameters: {
      query?: never
      header?: {
        /** @description A new unique value for each call, such as a UUID. Repeating a call with its key has no further effect and returns the first response, with the header `idempotency-replayed: true`. Keys are kept for 24 hours, at most the newest 2,000 of an account. */
        'Idempotency-Key'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Name shown on the consent page, 1 to 60 characters. */
          name: string
          is_public: boolean
          /** @description 1 to 10 redirect URIs with https. Public apps can also use http://127.0.0.1, http://[::1] and a private scheme such as com.example.app:/callback. */
          redirect_uris: string[]
        }
      }
    }
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            app: components['schemas']['OAuthApp']
            secret: string | null
          }
        }
      }
      /** @description **1012**: A parameter has an invalid value. */
      400: components['responses']['Error']
      /**
       * @description **1204**: OAuth app limit reached. Delete one first.
       *
       *     **1114**: Another call of the account has used the `Idempotency-Key` in the last 24 hours.
       */
      409: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  changeApp: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Client ID of the app. */
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': {
          /** @description Name shown on the consent page, 1 to 60 characters. */
          name?: string
          /** @description 1 to 10 redirect URIs with https. Public apps can also use http://127.0.0.1, http://[::1] and a private scheme such as com.example.app:/callback. */
          redirect_uris?: string[]
        }
      }
    }
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            app: components['schemas']['OAuthApp']
          }
        }
      }
      /** @description **1012**: A parameter has an invalid value. */
      400: components['responses']['Error']
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  deleteApp: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Client ID of the app. */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
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
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  rotateAppSecret: {
    parameters: {
      query?: never
      header?: {
        /** @description A new unique value for each call, such as a UUID. Repeating a call with its key has no further effect and returns the first response, with the header `idempotency-replayed: true`. Keys are kept for 24 hours, at most the newest 2,000 of an account. */
        'Idempotency-Key'?: string
      }
      path: {
        /** @description Client ID of the app. */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
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
      /** @description **1012**: A parameter has an invalid value. */
      400: components['responses']['Error']
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      /** @description **1114**: Another call of the account has used the `Idempotency-Key` in the last 24 hours. */
      409: components['responses']['Error']
      default: components['responses']['Error']
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
      /** @description Success. */
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
                /** @description Hosts of the redirect URIs. */
                hosts: string[]
              }
              scopes: string[]
              /** @description Alias of the login that gave the latest consent. */
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
      default: components['responses']['Error']
    }
  }
  revokeAuthorization: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Client ID of the app. */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
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
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  readMe: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            user_id: number
            alias: string
            email: string | null
            company: string
            /** @constant */
            balance: '0.00'
          }
        }
      }
      default: components['responses']['Error']
    }
  }
  readInteraction: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the authorization request, from the URL of the consent page. */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
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
                description: string
              }[]
              lasts_days: number
              login_alias: string | null
              had_access: boolean
            }
          }
        }
      }
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  allowInteraction: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the authorization request, from the URL of the consent page. */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            /** @description URL to redirect the browser to. */
            return_to: string
          }
        }
      }
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
  denyInteraction: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the authorization request, from the URL of the consent page. */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @constant */
            success: true
            code: null
            /** @description URL to redirect the browser to. */
            return_to: string
          }
        }
      }
      /** @description **1102**: The account has nothing with this ID. */
      404: components['responses']['Error']
      default: components['responses']['Error']
    }
  }
}
