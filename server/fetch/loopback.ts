/**
 * Whether a host is surely this machine: what listens there is reached by no other. Sub-domains of localhost are not, as
 * not every resolver keeps them here.
 *
 * @param host a name, or an IP address without brackets
 */
export const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i.test(host)
