// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.partition.Command;

/** A command on its way: where it goes and how long it may take. */
record Call<R>(Target target, Command<R> command, Deadline deadline) {}
