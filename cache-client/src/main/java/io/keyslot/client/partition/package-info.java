// SPDX-License-Identifier: Apache-2.0
/** The port: the commands that a partition answers, in entries and bytes, independent of the engine. */
@NullMarked
package io.keyslot.client.partition;

import org.jspecify.annotations.NullMarked;
