/** Where the provider lies below the portal's own address. */
export const MOUNT_PATH = '/idp';
