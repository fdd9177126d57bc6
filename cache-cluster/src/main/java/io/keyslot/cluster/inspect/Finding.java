// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.inspect;

/** A deviation of the partitions from the map. Its text has no keys and values. */
public record Finding(Kind kind, String about, String what) {
    public enum Kind {
        /** A partition does not answer. */
        UNREACHABLE("look at the server; if it never comes back: keyslot lost %s"),
        /** Its copy of the map is missing or old. */
        COPY_BEHIND("it is given the newest copy"),
        /** It is a voter of the next map and has lost its memory. */
        MEMORY_LOST("clients give it its vote back within seconds; if several have forgotten, keyslot recover"),
        /** It has a map that no majority confirms, or one that cannot be read. */
        DOUBTED(
                "if the others have lost their memory: keyslot recover; else let only those you trust write its keyslot:map:*,"
                        + " and delete that key there: clients give it back what is true"),
        /** A slot has no owner. */
        NO_OWNER("calls for it fail; plan a move of the slots to a partition"),
        /** It has a fence of a move that is not in the map. */
        STRAY_FENCE("the fence is taken away, once all clients there know the newest map"),
        /** A move, or a whole plan, is in the map, and no process carries it out. */
        IDLE_MOVE("keyslot complete %s"),
        /** It has keys of slots that it does not own. */
        STRAY_KEYS("they are not read; they expire, or are overwritten when the slot comes here");

        private final String remedy;

        Kind(String remedy) {
            this.remedy = remedy;
        }

        /** Returns whether {@link Mending} repairs it. */
        public boolean isMended() {
            return this == COPY_BEHIND || this == STRAY_FENCE;
        }
    }

    public String remedy() {
        return kind.remedy.formatted(about);
    }

    /** Returns whether this is the same finding. The number of stray keys may differ. */
    boolean isSameAs(Finding before) {
        return kind == Kind.STRAY_KEYS ? before.kind == kind && before.about.equals(about) : equals(before);
    }
}
