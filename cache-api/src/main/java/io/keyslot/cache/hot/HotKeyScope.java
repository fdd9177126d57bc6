// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.hot;

/** Who may know which keys of a cache this process reads most. */
public enum HotKeyScope {
    /** This process. The default. */
    LOCAL,
    /**
     * The partitions too, for operators: the keys are stored there as text for some minutes, beside the entries, and shown by
     * {@code keyslot hot} to whoever may read them there.
     */
    REPORT
}
