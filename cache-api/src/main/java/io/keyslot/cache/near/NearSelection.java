// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.near;

/** Which entries get a near copy. */
public enum NearSelection {
    /** Each that is read. The default. */
    ALL,
    /**
     * Those whose keys are hot: read four times or more lately, as far as this process is sure of it. Others are read from
     * their partition as without a near cache, which costs it half of a read that is kept, and do not push out those that
     * matter. A copy whose key is not hot any more is given up.
     */
    HOT
}
