// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.near;

/** Explains which server rights are needed to receive invalidations. Pure. */
final class NeededRights {
    /** The rights that near caches need in addition to those of caches. */
    static final String OF_NEAR_CACHES = "+client|tracking +client|caching +pttl ~keyslot:near:*";

    /** The same on a cluster, whose nodes are asked for their slots. */
    static final String OF_NEAR_CACHES_OF_CLUSTER = OF_NEAR_CACHES + " +cluster|nodes";

    private static final String NO_RIGHT = "NOPERM";

    private NeededRights() {}

    /** Returns the server's error text, with the command that grants the missing rights if that is the reason. */
    static String explain(String why, String rights) {
        return why.startsWith(NO_RIGHT) ? "%s; run there: ACL SETUSER <user> %s".formatted(why, rights) : why;
    }
}
