// SPDX-License-Identifier: Apache-2.0
/** The port to a partition: the commands that it answers, independent of the engine. */
@NullMarked
package io.keyslot.client.partition;

import org.jspecify.annotations.NullMarked;
