// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.nodes;

/**
 * Something about a cluster that an operator should know.
 *
 * @param kind what it is
 * @param about the node; empty if it is about the cluster
 * @param what in one sentence; without keys and values
 */
public record NodeFinding(Kind kind, String about, String what) {
    /** What does not fit. */
    public enum Kind {
        /** Others of the cluster take it for failed. */
        FAILED("start it again; if it is gone for good, CLUSTER FORGET at all others"),
        /** It says that it does not serve. */
        DOWN("redis-cli --cluster check at the node"),
        /** Two nodes say different things of who owns slots. */
        DISAGREEMENT("it passes within seconds; if it stays, redis-cli --cluster fix"),
        /** A slot is on its way. */
        OPEN_SLOTS("if nobody moves slots, redis-cli --cluster fix"),
        /** Nobody takes its place when it fails. */
        NO_REPLICA("redis-cli --cluster add-node with --cluster-slave"),
        /** It answers reads from what may be old. */
        READS_WHEN_DOWN("CONFIG SET cluster-allow-reads-when-down no");

        private final String remedy;

        Kind(String remedy) {
            this.remedy = remedy;
        }

        /** Returns what an operator does, by the servers' own tools. */
        public String remedy() {
            return remedy;
        }

        /** Returns whether it is as somebody wants it now, or weaker than it could be, and nothing is wrong. */
        public boolean isAdvice() {
            return this == OPEN_SLOTS || this == NO_REPLICA;
        }
    }
}
