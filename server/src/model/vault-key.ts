/** A key that seals (`seal`) or digests (`digest`) secrets, wrapped by the master key. */
export interface WrappedKey {
  id: number
  purpose: string
  wrapped: Buffer
}

/** Stores the vault's keys; `db` implements it, `vault` uses it. */
export interface VaultKeyStore {
  list: () => Promise<WrappedKey[]>
  /** Adds keys if there are none: of two processes that start together, one wins. */
  addFirst: (keys: ReadonlyArray<Omit<WrappedKey, 'id'>>) => Promise<void>
  replace: (key: WrappedKey) => Promise<void>
}
