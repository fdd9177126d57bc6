// SPDX-License-Identifier: Apache-2.0
/** Looks at the entries of all partitions: iterators and scans. */
@NullMarked
package io.keyslot.client.scan;

import org.jspecify.annotations.NullMarked;
