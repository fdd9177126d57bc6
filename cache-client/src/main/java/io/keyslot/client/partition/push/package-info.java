// SPDX-License-Identifier: Apache-2.0
/** What every connection keeps about its pushes, of whichever engine. */
@NullMarked
package io.keyslot.client.partition.push;

import org.jspecify.annotations.NullMarked;
