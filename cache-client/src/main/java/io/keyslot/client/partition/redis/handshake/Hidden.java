// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.handshake;

/** An ability that a server or proxy may hide or refuse, and the guarantee that is weaker without it. */
enum Hidden {
    INCARNATION(
            "neither run_id nor master_replid",
            "a restart or a failover that keeps data goes unnoticed, and what is stored then is served, older values"
                    + " among it"),
    RUN(
            "no run_id",
            "when a first replica is attached while a connection is lost, a write that timed out may be executed after"
                    + " later ones"),
    LIST(
            "no CLIENT LIST",
            "when what was stored has to be forgotten, other processes may go on with it for a second; slots cannot be"
                    + " moved from here or to here"),
    KILL("no CLIENT KILL", "a write that timed out may be executed after later ones"),
    TRACKING("no CLIENT TRACKING", "near caches keep nothing of this partition");

    private final String what;
    private final String weaker;

    Hidden(String what, String weaker) {
        this.what = what;
        this.weaker = weaker;
    }

    String text() {
        return what + ": " + weaker;
    }
}
