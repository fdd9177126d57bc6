// SPDX-License-Identifier: Apache-2.0
/**
 * The configuration of a client as immutable options. {@code io.keyslot.client.config.read.ConfigurationLoader} reads it.
 */
@NullMarked
package io.keyslot.client.config;

import org.jspecify.annotations.NullMarked;
