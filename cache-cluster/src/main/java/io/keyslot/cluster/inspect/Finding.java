// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.inspect;

/**
 * Something that does not fit the map.
 *
 * @param kind what it is
 * @param about the partition or the move, empty if it is about all
 * @param what in one sentence; without keys and values
 */
public record Finding(Kind kind, String about, String what) {
    /** What does not fit. */
    public enum Kind {
        /** A partition cannot be looked at. */
        UNREACHABLE("look at the server; if it never comes back: keyslot lost %s"),
        /** It has no copy of the newest map, or an older one. */
        COPY_BEHIND("it is given the newest copy"),
        /** It is to decide on the next map, and has forgotten what it has said. */
        MEMORY_LOST("clients give it its vote back within seconds; if several have forgotten, keyslot recover"),
        /** It shows of the map what no majority confirms, or what cannot be read. */
        DOUBTED(
                "if the others have lost their memory: keyslot recover; else let only those you trust write its keyslot:map:*,"
                        + " and delete that key there: clients give it back what is true"),
        /** Nobody owns a slot. */
        NO_OWNER("calls for it fail; plan a move of the slots to a partition"),
        /** It has a fence of a move that is not in the map. */
        STRAY_FENCE("the fence is taken away, once all clients there know the newest map"),
        /** A move, or a whole plan, is in the map, and no process carries it out. */
        IDLE_MOVE("keyslot complete %s"),
        /** It has keys of slots that it does not own. */
        STRAY_KEYS("nobody reads them; they expire, or are overwritten when the slot comes here");

        private final String remedy;

        Kind(String remedy) {
            this.remedy = remedy;
        }

        /** Returns whether {@link Mending} does it. */
        public boolean isMended() {
            return this == COPY_BEHIND || this == STRAY_FENCE;
        }
    }

    /** Returns what is to be done, or what {@link Mending} does. */
    public String remedy() {
        return kind.remedy.formatted(about);
    }

    /** Returns whether this was found before already. The number of stray keys may be another one. */
    boolean isSameAs(Finding before) {
        return kind == Kind.STRAY_KEYS ? before.kind == kind && before.about.equals(about) : equals(before);
    }
}
