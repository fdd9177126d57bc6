// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

/** How a server's user gets the rights without which nobody tells him of changes. Pure. */
public final class NeededRights {
    /** What near caches need beside what caches do. */
    public static final String OF_NEAR_CACHES = "+client|tracking +client|caching +pttl ~keyslot:near:*";

    /** What listeners need who hear of others. */
    public static final String OF_LISTENERS = "+client|tracking";

    private static final String NO_RIGHT = "NOPERM";

    private NeededRights() {}

    /**
     * Returns why somebody is not told, and how he would be.
     *
     * @param why what the server says
     * @param rights the rights that are needed
     */
    public static String explain(String why, String rights) {
        return why.startsWith(NO_RIGHT) ? "%s; run there: ACL SETUSER <user> %s".formatted(why, rights) : why;
    }
}
