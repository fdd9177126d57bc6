// SPDX-License-Identifier: Apache-2.0
/** Reads the options of a client from {@code keyslot.yaml} and properties, and reports all problems together. */
@NullMarked
package io.keyslot.client.config.read;

import org.jspecify.annotations.NullMarked;
