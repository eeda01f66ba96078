/** Name of the account of the canary. It belongs to the installation and is never imported or exported. */
export const canaryAccountName = 'Hookline canary'
