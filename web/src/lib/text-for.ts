/** Looks up a value of the API. A page that is open during an upgrade may get values it does not know. */
export function textFor<Key extends string, Text>(
  texts: Readonly<Record<Key, Text>>,
  key: Key,
  fallback: NoInfer<Text>,
): Text {
  return Object.hasOwn(texts, key) ? texts[key] : fallback
}
