/**
 * Whether a host is certainly this machine, so that no other machine receives the request. Sub-domains of localhost are
 * not, because some resolvers look them up elsewhere.
 *
 * @param host a name, or an IP address without brackets
 */
export const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i.test(host)
