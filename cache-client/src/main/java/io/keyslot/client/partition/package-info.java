// SPDX-License-Identifier: Apache-2.0
/** The port: what a partition can do, in entries and bytes, whatever engine is behind it. */
@NullMarked
package io.keyslot.client.partition;

import org.jspecify.annotations.NullMarked;
