// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.stored.AggregateModel;

/** An aggregate of one epoch, with its last stamp. The model is accessed only with the slot locked. */
record StoredAggregate(int epoch, long stamp, AggregateModel model) {
    StoredAggregate copy() {
        return new StoredAggregate(epoch, stamp, model.copy());
    }
}
