// SPDX-License-Identifier: Apache-2.0
/**
 * The configuration of a client as immutable options. {@code ConfigurationLoader} reads them from {@code keyslot.yaml}
 * and properties, and reports all problems together.
 */
@NullMarked
package io.keyslot.client.config;

import org.jspecify.annotations.NullMarked;
