// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import io.keyslot.client.partition.Command;

/** A partition that answers commands or throws. For one thread. */
public interface Asked {
    <R> R ask(Command<R> command);
}
