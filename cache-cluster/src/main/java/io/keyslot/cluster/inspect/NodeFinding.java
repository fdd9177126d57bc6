// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.inspect;

/** A finding about a cluster. Its text has no keys and values. */
public record NodeFinding(Kind kind, String about, String what) {
    public enum Kind {
        /** Other nodes regard it as failed. */
        FAILED("start it again; if it is gone for good, CLUSTER FORGET at all others"),
        /** It reports that it does not serve. */
        DOWN("redis-cli --cluster check at the node"),
        /** Two nodes report different owners of slots. */
        DISAGREEMENT("it passes within seconds; if it stays, redis-cli --cluster fix"),
        /** A slot is moving. */
        OPEN_SLOTS("if no reshard is running, redis-cli --cluster fix"),
        /** No replica would replace it after a failure. */
        NO_REPLICA("redis-cli --cluster add-node with --cluster-slave"),
        /** It answers reads with possibly old data. */
        READS_WHEN_DOWN("CONFIG SET cluster-allow-reads-when-down no");

        private final String remedy;

        Kind(String remedy) {
            this.remedy = remedy;
        }

        public String remedy() {
            return remedy;
        }

        /** Returns whether it may be intended or could be improved, and is not an error. */
        public boolean isAdvice() {
            return this == OPEN_SLOTS || this == NO_REPLICA;
        }
    }
}
