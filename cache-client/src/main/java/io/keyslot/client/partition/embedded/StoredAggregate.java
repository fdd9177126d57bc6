// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.stored.AggregateModel;

/**
 * An aggregate of a partition, which counts as none in other epochs than its own. The model is read and changed only by
 * who holds the lock of its slot.
 *
 * @param epoch in which it was changed last
 * @param stamp of its last change
 */
record StoredAggregate(int epoch, long stamp, AggregateModel model) {
    StoredAggregate copy() {
        return new StoredAggregate(epoch, stamp, model.copy());
    }
}
