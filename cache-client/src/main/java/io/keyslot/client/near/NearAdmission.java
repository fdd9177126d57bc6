// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.near;

import io.keyslot.client.hot.HotReads;

/** Which entries get a copy, and keep it. Safe for use by several threads. */
interface NearAdmission {
    /** Each that is read. */
    NearAdmission ALL = new NearAdmission() {
        @Override
        public boolean admits(Object place) {
            return true;
        }

        @Override
        public boolean keeps(Object place) {
            return true;
        }
    };

    /** Returns whether an entry that is about to be read is to be kept. */
    boolean admits(Object place);

    /** Returns whether a copy is not to be given up. */
    boolean keeps(Object place);

    /** Returns the rule that only hot entries get a copy. */
    static NearAdmission of(HotReads<?> hot) {
        return new NearAdmission() {
            @Override
            public boolean admits(Object place) {
                return hot.isHot(place);
            }

            @Override
            public boolean keeps(Object place) {
                return hot.isStillHot(place);
            }
        };
    }
}
